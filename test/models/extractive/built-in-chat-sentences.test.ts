import { expect, it } from 'vitest';
import { sentencesOf } from '../../../src/text/sentences.ts';

function texts(text: string): string[] {
  return sentencesOf(text).map((sentence) => sentence.text);
}

it.each([
  [
    'abbreviations and initials',
    'Dr. Smith paid J. R. Tolkien Inc. for it. No. 5 lives, e.g. here. Yes!',
    ['Dr. Smith paid J. R. Tolkien Inc. for it.', 'No. 5 lives, e.g. here.', 'Yes!'],
  ],
  [
    'numbers and dates',
    'It costs $3.50 since Jan. 5. Version 2.1 came at 5 p.m. on Monday.',
    ['It costs $3.50 since Jan. 5.', 'Version 2.1 came at 5 p.m. on Monday.'],
  ],
  [
    'German',
    'Das gilt z. B. am 3. Oktober 2020. Die Frist beträgt ca. 14 Tage.',
    ['Das gilt z. B. am 3. Oktober 2020.', 'Die Frist beträgt ca. 14 Tage.'],
  ],
  [
    'Japanese',
    '保証期間は二年です。延長できますか？価格は3.5万円です。',
    ['保証期間は二年です。', '延長できますか？', '価格は3.5万円です。'],
  ],
  [
    'Hindi, Arabic and Russian',
    'यह एक वाक्य है। यह दूसरा है। هل هذا سؤال؟ نعم. Это т. е. пример. Да.',
    ['यह एक वाक्य है।', 'यह दूसरा है।', 'هل هذا سؤال؟', 'نعم.', 'Это т. е. пример.', 'Да.'],
  ],
  [
    'quotations and footnotes',
    '"Really?" he said. It was built in 1887.[12] (Maybe.)',
    ['"Really?" he said.', 'It was built in 1887.[12] (Maybe.)'],
  ],
])('splits the sentences of %s', (_, text, sentences) => {
  expect(texts(text)).toEqual(sentences);
});

it('distinguishes headings, list items and table rows from sentences', () => {
  const text = `# Refunds

Money back is possible. See below:

- Keep the receipt
2. Send it

Name: Bob; City: Paris
Plan | Price`;
  expect(sentencesOf(text).map(({ kind, text }) => [kind, text])).toEqual([
    ['heading', '# Refunds'],
    ['sentence', 'Money back is possible.'],
    ['sentence', 'See below:'],
    ['list-item', '- Keep the receipt'],
    ['list-item', '2. Send it'],
    ['table-row', 'Name: Bob; City: Paris'],
    ['table-row', 'Plan | Price'],
  ]);
});

it('joins the lines of a wrapped paragraph', () => {
  const text =
    'This paragraph was wrapped by a tool that breaks lines at about\nseventy columns, as mail does.\nAnother one.';
  expect(texts(text)).toEqual([
    'This paragraph was wrapped by a tool that breaks lines at about\nseventy columns, as mail does.',
    'Another one.',
  ]);
});

it('splits text without full stops, such as Thai, at spaces', () => {
  const clause = 'สามารถคืนสินค้าได้ภายในสามสิบวันโดยต้องมีใบเสร็จ';
  const parts = texts(Array.from({ length: 12 }, () => clause).join(' '));
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.join(' ').split(' ')).toEqual(Array.from({ length: 12 }, () => clause));
});

it('keeps the text verbatim with offsets, at most 400 UTF-16 units each, and loses no word', () => {
  for (const text of [
    ' a  b.\n\n\nC d!  \n',
    'word '.repeat(1_000),
    'x'.repeat(5_000),
    '保'.repeat(3_000),
    '😀'.repeat(1_000),
    '\n- a\n- b; c\n',
  ]) {
    const sentences = sentencesOf(text);
    for (const { start, end, text: part } of sentences) {
      expect(text.slice(start, end)).toBe(part);
      expect(part).toBe(part.trim());
      expect(part.length).toBeLessThanOrEqual(400);
      expect(part.isWellFormed()).toBe(true);
    }
    const joined = sentences.map((sentence) => sentence.text).join('');
    expect(joined.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  }
  expect(sentencesOf('')).toEqual([]);
});

it('does not divide a long sentence in a number', () => {
  const start = 'the members agreed on the plan of the year '.repeat(6);
  const parts = texts(`In May ${start}for £2,500${' and on the next one'.repeat(12)}.`);
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.some((part) => part.includes('£2,500'))).toBe(true);
});

it('keeps a long table row with its titles whole', () => {
  const row = `Name: Aurora; ${'Note: a remark; '.repeat(40)}Port: Lerwick`;
  expect(texts(`${row}\n${row}`)).toEqual([row, row]);
});
