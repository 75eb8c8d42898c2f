import { expect, test } from 'vitest';
import { chunkText } from '../../../src/extract/chunks/chunk-text.ts';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { readMarkdown } from '../../../src/extract/text-formats/markdown.ts';
import { extractFromPlainText } from '../../../src/extract/text-formats/txt.ts';

const prose = 'The plan pays for this service if a doctor of the network says that it is needed.';

/** Returns the level and the text of each heading, such as `1 Title`. */
async function headingsOf(source: string, read = readMarkdownText): Promise<string[]> {
  const { text, blocks } = await read(source);
  return blocks
    .filter(({ kind }) => kind === 'heading')
    .map(({ level, start, end }) => `${level} ${text.slice(start, end)}`);
}

const limits = { ...defaultExtractLimits, textCharacters: 5_000_000 };
const readMarkdownText = (source: string) => readMarkdown(Buffer.from(source), limits);
const readPlainText = async (source: string) => extractFromPlainText(source, 5_000_000);

test.each([
  ['Markdown', readMarkdownText],
  ['plain text', readPlainText],
])('a line of %s that looks like a title is a heading', async (_, read) => {
  const source = `Opening Hours\n\n${prose}\n\nWhat is covered?\n\n${prose}\n\nCLAIMS\n\n${prose}\n\nTips for Employees\n\n- Ask first.\n`;
  expect(await headingsOf(source, read)).toEqual([
    '6 Opening Hours',
    '6 What is covered?',
    '2 CLAIMS',
    '6 Tips for Employees',
  ]);
});

test('a section whose heading is not marked ends the marked section before it', async () => {
  const long = `${prose} `.repeat(24);
  const source = `# Plan\n\n## COVERED SERVICES\n\n### Ambulance\n\n${long}\n\nBlood Products\nCOVERED SERVICES: Blood Products\n\n${long}`;
  expect(await headingsOf(source)).toEqual([
    '1 Plan',
    '2 COVERED SERVICES',
    '3 Ambulance',
    '2 Blood Products',
    '2 COVERED SERVICES: Blood Products',
  ]);
  const chunks = chunkText(await readMarkdownText(source));
  expect(chunks.at(-1)?.context).toContain('COVERED SERVICES: Blood Products');
  expect(chunks.at(-1)?.context).not.toContain('Ambulance');
});

test('where marked headings follow, it is part of the marked section', async () => {
  const source = `# Plan\n\n## Claims\n\nHOW TO FILE\n\n${prose}\n\n## Appeals\n\n${prose}`;
  expect(await headingsOf(source)).toEqual(['1 Plan', '2 Claims', '6 HOW TO FILE', '2 Appeals']);
});

test.each([
  ['a field', `DEPARTMENT: Sales\n\n${prose}`],
  ['a sentence', `Ask us.\n\n${prose}`],
  ['a lead', `You Need:\n\n- a passport`],
  ['words in lower case', `opening hours\n\n${prose}`],
  ['a notice', `WARNING\n\n${prose}`],
  ['an address', 'Harbor Tours\nFish Street 4\n\nLisbon'],
  ['a date', `Monday 4 May\n\n${prose}`],
  ['the last line', `${prose}\n\nBest Regards`],
  ['a list', `- Opening Hours\n\n  ${prose}`],
])('%s is no title', async (_, source) => {
  expect(await headingsOf(source)).toEqual([]);
});
