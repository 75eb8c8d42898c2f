import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the glossary has each term once, in alphabetical order, with a meaning', () => {
  const rows = readFileSync('docs/glossary.md', 'utf8').matchAll(/^\| \*\*(.+?)\*\* \| (.*) \|$/gm);
  const entries = [...rows].map(([, term = '', meaning = '']) => ({ term, meaning }));
  expect(entries.length).toBeGreaterThan(60);
  const terms = entries.map(({ term }) => term.toLowerCase());
  expect(terms).toEqual([...new Set(terms)].sort());
  for (const { term, meaning } of entries)
    expect(meaning.split(' ').length, term).toBeGreaterThan(2);
});
