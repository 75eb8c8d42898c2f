import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../src/domain/evaluation/seeded-random.ts';
import { createOutputFilter } from '../../../src/domain/output-filter/output-filter.ts';
import { pick } from '../../support/seeded-random.ts';

// Filters random combinations of markup and parses the results as Markdown.

const knownAddress = 'https://docs.example.com';
const attacks = [
  '<img src=x onerror=go()>',
  '<script>go()</script>',
  '<script ',
  '<a href="',
  'https://evil.example/x',
  'https:/[99]/evil.example/x',
  'https:/evil.example/x',
  '//evil.example/x',
  'javascript:go()',
  'img src=x onerror=go()>',
  knownAddress,
];
const ticks = ['`', '``', '```', '\n```\n', '\n   ```\n', '\n    ```\n', '\n~~~\n'];
const blocks = ['\n', '\n\n', '\n- ', '\n1. ', '\n> ', '\n| a | b |\n|---|---|\n| ', '\n<div>\n'];
const inline = ['![', '[x]', '](', ')', '[f]', '\n\n[f]: ', '[1]', '[99]', '"a\\"b"', '\\', '|'];
const tags = ['<', '>', '=', '">', '<!--', '-->', '<b>', '<pre>', '</pre>'];
const parts = [...attacks, ...attacks, ...ticks, ...blocks, ...inline, ...tags, '!', ' ', 'word'];

test('no combination of markup produces an active link, image or script', () => {
  const random = seededRandom(1);
  const flaws: string[] = [];
  for (let n = 0; n < 2_000; n++) {
    const length = 2 + Math.floor(random() * 14);
    const written = Array.from({ length }, () => pick(random, parts)).join('');
    const read = filtered(written, 1 + Math.floor(random() * 5));
    const found = [...findActiveContent(read, false), ...findActiveContent(read, true)];
    if (found.length > 0) flaws.push(JSON.stringify({ written, read, found }));
  }
  expect(flaws).toEqual([]);
}, 120_000);

function filtered(text: string, pieceLength: number): string {
  const filter = createOutputFilter({
    sources: [{ documentName: 'a.md', context: '', content: `See ${knownAddress}.` }],
    question: 'How?',
    confidential: [],
    fallbackText: '-',
  });
  let read = '';
  for (let start = 0; start < text.length; start += pieceLength) {
    read += filter.push(text.slice(start, start + pieceLength));
  }
  return read + filter.flush();
}

/** Parses the text as Markdown, with or without GitHub's extensions. Returns its URLs and active HTML. */
function findActiveContent(text: string, isGithub: boolean): string[] {
  const extensions = isGithub
    ? { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }
    : undefined;
  const found: string[] = [];
  const look = (node: { type: string; url?: string; value?: string; children?: unknown[] }) => {
    if (node.url !== undefined && /evil|javascript/.test(node.url)) found.push(node.url);
    if (node.type === 'html' && /<[a-z][^<>]*=|<\/?script/i.test(node.value ?? ''))
      found.push(`${node.value}`);
    for (const child of node.children ?? []) look(child as Parameters<typeof look>[0]);
  };
  look(fromMarkdown(text, extensions));
  return found;
}
