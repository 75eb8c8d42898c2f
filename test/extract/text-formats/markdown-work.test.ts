import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { readMarkdown } from '../../../src/extract/text-formats/markdown.ts';
import { describeBlocks } from '../../support/programs/describe-blocks.ts';

const read = async (source: string) =>
  describeBlocks(await readMarkdown(Buffer.from(source), defaultExtractLimits));

test.each([
  ['characters of emphasis', '*a* '.repeat(1_000), '*a* '.repeat(1_001)],
  ['brackets', '[a]'.repeat(5_000), '[a]'.repeat(5_001)],
  ['lines', 'One line\n'.repeat(1_000), 'One line\n'.repeat(1_001)],
  ['quotes in quotes', `${'> '.repeat(32)}*a*`, `${'> '.repeat(33)}*a*`],
])('a paragraph is parsed up to a number of %s, and is plain text above', async (_, most, more) => {
  const hasMarks = async (source: string) => /[*>]/.test((await read(`*b*\n\n${source}`)).join());
  expect(await hasMarks(most)).toBe(false);
  expect(await hasMarks(more)).toBe(true);
});

test('what is too complex does not change how the sections after it are read', async () => {
  const blocks = await read(`${'*a_ '.repeat(2_000)}\n\n# Hours\n\nOpen *daily*.\n`);
  expect(blocks.slice(-2)).toEqual(['heading1: Hours', 'paragraph: Open daily.']);
});

test('a list of thousands of items with links and emphasis is parsed', async () => {
  const item = '- The *hotel* has a [site][home].\n';
  const blocks = await read(`${item.repeat(3_000)}\n[home]: https://a.example\n`);
  expect(new Set(blocks)).toEqual(new Set(['list-item: - The hotel has a site.']));
  expect(blocks).toHaveLength(3_000);
});

test('a table of thousands of rows with emphasis is parsed', async () => {
  const blocks = await read(`| a | b |\n|---|---|\n${'| *1* | __2__ |\n'.repeat(3_000)}`);
  expect(blocks).toHaveLength(3_001);
  expect(blocks.at(-1)).toBe('table-row: 1 | 2');
});

test('HTML of 10,000 lines loses its tags', async () => {
  const rows = '<tr>\n<td>a_b</td>\n<td>2</td>\n</tr>\n'.repeat(2_500);
  const blocks = await read(`<table>\n${rows}</table>\n\n[1]: b\n`);
  expect(blocks).toHaveLength(2_500);
  expect(blocks.at(-1)).toBe('table-row: a_b | 2');
});

test('code of 6,000 lines stays code', async () => {
  const code = 'const snake_case = [[1], [2]];\n'.repeat(6_000);
  expect(await read(`\`\`\`js\n${code}\`\`\`\n`)).toEqual([`code: ${code.trimEnd()}`]);
});
