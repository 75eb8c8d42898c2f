import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../src/extract/extract-limits.ts';
import { readMarkdown } from '../../src/extract/text-formats/markdown.ts';

const limits = { ...defaultExtractLimits, textCharacters: 5_000_000 };
const megabyte = 1_000_000;
const nestedLists = Array.from(
  { length: 1_400 },
  (_, depth) => `${'  '.repeat(depth % 700)}- a\n`,
).join('');

test.each([
  ['links', '[a]('],
  ['quotes', '> '],
  ['emphasis', '*a_ '],
  ['images', '!['],
  ['lists in one line', '- '],
  ['lists in lists', nestedLists],
  ['HTML tags', '<a '],
  ['table cells', '|a'],
  ['definitions', '[a]: <b\n'],
  ['code spans', '`a``'],
  ['underlined titles', 'a\n---\n'],
  ['lines after quotes', '> a\nb\n'],
  ['brackets', ']('],
  ['paragraphs of emphasis', `${'*_'.repeat(1_000)}\n\n`],
  ['short lists', 'Open *daily* from [7](b).\n\n- item `x`\n\n'],
])('1 MB of Markdown %s is read within 10 s of CPU time', { timeout: 60_000 }, async (_, part) => {
  const source = part.repeat(Math.ceil(megabyte / part.length)).slice(0, megabyte);
  const bytes = Buffer.from(`${source}\n\nDone *here*.\n`);
  const usage = process.cpuUsage();
  const { text } = await readMarkdown(bytes, limits);
  const { user, system } = process.cpuUsage(usage);
  expect((user + system) / 1e6).toBeLessThan(10);
  expect(text).toContain('here');
});

test('what follows 3,000,000 characters is read as plain text', async () => {
  const code = `\`\`\`\n${'one line of code\n'.repeat(180_000)}\`\`\`\n\n`;
  const { text } = await readMarkdown(
    Buffer.from(`Open *daily*.\n\n${code}Open *always*.\n`),
    limits,
  );
  expect([text.slice(0, 11), text.slice(-14)]).toEqual(['Open daily.', 'Open *always*.']);
}, 60_000);
