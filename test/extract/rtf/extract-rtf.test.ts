import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { readRtf } from '../../../src/extract/rtf/rtf.ts';
import { describeBlocks } from '../../support/programs/describe-blocks.ts';

const file = (body: string) =>
  Buffer.from(String.raw`{\rtf1\ansi\ansicpg1252\deff0 ${body}}`, 'latin1');
const read = (body: string) => describeBlocks(readRtf(file(body), defaultExtractLimits));

test('paragraphs, line breaks and special characters are read', () => {
  const body = String.raw`Pool\tab rules\par
Open\~daily\line from {\b 07:00} \endash  21:00 \{sic\} 5\'80\par\pard Caf\'e9.`;
  expect(read(body)).toEqual([
    'paragraph: Pool rules',
    'paragraph: Open daily\nfrom 07:00 – 21:00 {sic} 5€',
    'paragraph: Café.',
  ]);
});

test('Unicode replaces the characters for older readers, also outside the basic plane', () => {
  expect(
    read(String.raw`5 \u8364\'80, \uc2\u26085\'93\'fa{\uc0\u26412}. \u-10179 ??\u-8704 ??!`),
  ).toEqual(['paragraph: 5 €, 日本. 😀!']);
});

test('each font has the code page of its character set', () => {
  const fonts = String.raw`{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fcharset204{\*\panose 020}Arial Cyr;}{\f2\fcharset128 Mincho;}}`;
  expect(
    read(String.raw`${fonts}\f1 \'ca\'e8\'eb\'fc {\f2 \'93\'fa\'96\'7b} \f0 \'e9t\'e9`),
  ).toEqual(['paragraph: Киль 日本 été']);
});

test('headings are recognized by style and outline level', () => {
  const styles = String.raw`{\stylesheet{\s0 Normal;}{\s3\b heading 2;}{\s4\outlinelevel0 Own;}{\*\cs10 Default;}}`;
  const body = String.raw`\pard\s3 Pool\par\pard\s4 Sauna\par\pard\outlinelevel2 Gym\par\pard\s0 Open.\par`;
  expect(read(styles + body)).toEqual([
    'heading2: Pool',
    'heading1: Sauna',
    'heading3: Gym',
    'paragraph: Open.',
  ]);
});

test('list items have their number or a bullet', () => {
  const body = String.raw`{\listtext\tab 1.\tab}Shower\par{\listtext\f3 \u8226 ?\tab}Soap\par
{\*\pn\pnlvlblt{\pntxtb\'b7}}{\pntext\f1\'B7\tab}Towel\par`;
  expect(read(body)).toEqual(['list-item: 1. Shower', 'list-item: - Soap', 'list-item: - Towel']);
});

test('a table row is one line', () => {
  const row = (...cells: string[]) =>
    String.raw`\trowd\cellx100\cellx200\pard\intbl ${cells.join(String.raw`\cell `)}\cell\row`;
  expect(
    read(`${row('Room', 'Price')}${row(String.raw`101\par Garden`, '89')}\\pard After.\\par`),
  ).toEqual(['table-row: Room | Price', 'table-row: 101 Garden | 89', 'paragraph: After.']);
});

test('joined cells fill what they cover, in the forms of Word and of Writer', () => {
  const row = (layout: string, ...cells: string[]) =>
    String.raw`\trowd${layout}\pard\intbl ${cells.join(String.raw`\cell `)}\cell\row`;
  const plain = String.raw`\cellx100\cellx200\cellx300`;
  const table = [
    row(String.raw`\cellx300`, 'Rota'),
    row(plain, 'Week', 'Mon', 'Tue'),
    row(String.raw`\cellx100\cellx301`, 'W 10', 'Ines'),
    row(String.raw`\clvmgf\cellx100\clmgf\cellx200\clmrg\cellx300`, 'W 11', 'Hugo', ''),
    row(String.raw`\clvmrg\cellx100\cellx200\cellx300`, '', 'Vera', 'Kim'),
    row(plain, 'W 12', '', 'Ada'),
  ].join('');
  expect(read(`${table}\\pard After.\\par`)).toEqual([
    'paragraph: Rota',
    'table-row: Week | Mon | Tue',
    'table-row: W 10 | Ines | Ines',
    'table-row: W 11 | Hugo | Hugo',
    'table-row: W 11 | Vera | Kim',
    'table-row: W 12 |  | Ada',
    'paragraph: After.',
  ]);
});

test('notes follow their paragraph; fields, links and text boxes are read', () => {
  const body = String.raw`Pool{\footnote\pard Closed on Mondays.\par} and
 {\field{\*\fldinst HYPERLINK "https://x.example"}{\fldrslt sauna}}\par
{\shp{\*\shpinst{\sp{\sn shapeType}{\sv 202}}{\shptxt Boxed\par}}}`;
  expect(read(body)).toEqual([
    'paragraph: Pool and sauna (https://x.example)',
    'paragraph: Closed on Mondays.',
    'paragraph: Boxed',
  ]);
});

test('pictures, metadata, comments, hidden and deleted text are omitted', () => {
  const body = String.raw`{\info{\title Secret}}{\*\generator Riched20;}{\colortbl;\red0;}
{\pict\pngblip 89504e47}{\pict\bin5 }}}}}x}{\v hidden}{\deleted gone}{\*\annotation Really?}{\*\unknown {\b x}}Open.`;
  expect(read(body)).toEqual(['paragraph: Open.']);
});

test('damaged, incomplete, empty and deeply nested files have their error codes', () => {
  const code = (bytes: Uint8Array) => {
    try {
      return describeBlocks(readRtf(bytes, { ...defaultExtractLimits, textCharacters: 10_000 }));
    } catch (error) {
      return error instanceof Error && 'code' in error ? error.code : error;
    }
  };
  const whole = file('Hello{\\b there}');
  expect(code(whole.subarray(0, whole.length - 4))).toBe('CORRUPT_FILE');
  expect(code(Buffer.from('Hello'))).toBe('CORRUPT_FILE');
  expect(code(file('\\par\\par'))).toBe('EMPTY_TEXT');
  expect(code(file(`${'{'.repeat(100_000)}x${'}'.repeat(100_000)}`))).toBe('TOO_LARGE');
  expect(code(file('long '.repeat(5_000)))).toBe('TOO_LARGE');
  expect(code(Buffer.concat([whole, Buffer.from('\0\0 trailing')]))).toEqual([
    'paragraph: Hellothere',
  ]);
});

test('hundreds of thousands of groups and control words take linear time', () => {
  expect(read('{\\b x}\\plain '.repeat(200_000))[0]?.length).toBeGreaterThan(200_000);
});
