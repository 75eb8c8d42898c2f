import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import type { ExtractedText } from '../../../src/extract/extracted-text.ts';
import { readCsv } from '../../../src/extract/tables/csv.ts';
import { readMarkdown } from '../../../src/extract/text-formats/markdown.ts';
import { extractFromPlainText, readTxt } from '../../../src/extract/text-formats/txt.ts';
import { describeBlocks } from '../../support/programs/describe-blocks.ts';

const limits = { ...defaultExtractLimits, textCharacters: 5_000_000 };

const csv = async (text: string) => describeBlocks(await readCsv(Buffer.from(text), limits));
const markdown = async (text: string) =>
  describeBlocks(await readMarkdown(Buffer.from(text), limits));
const txt = async (text: string) => describeBlocks(await readTxt(Buffer.from(text), limits));

test.each(['\v', '\f', '\u0085', '\u2028', '\r'])('%j separates lines', async (lineBreak) => {
  const found = await txt(`The first line ends here.${lineBreak}The second line starts here.`);
  expect(found.join('\n')).toMatch(/here\.\s+(?:paragraph: )?The second/);
});

test('a CSV row is searchable by its column names, without empty values', async () => {
  expect(await csv('Room,Price,Balcony\n101,89,\n201,135,yes\n')).toEqual([
    'table-row: Room: 101; Price: 89',
    'table-row: Room: 201; Price: 135; Balcony: yes',
  ]);
});

test.each([',', ';', '\t', '|'])('CSV values separated by %j are recognized', async (delimiter) => {
  const lines = ['Room', 'Type', 'Price'].join(delimiter);
  const row = ['101', '"Garden, with; a | tree"', '89'].join(delimiter);
  expect(await csv(`${lines}\n${row}\n${['102', 'Suite', '95'].join(delimiter)}\n`)).toEqual([
    'table-row: Room: 101; Type: Garden, with; a | tree; Price: 89',
    'table-row: Room: 102; Type: Suite; Price: 95',
  ]);
});

test.each([';', '\t'])('decimal commas do not separate values if %j does', async (delimiter) => {
  const rows = Array.from({ length: 60 }, (_, n) => [`${60 + n},5`, `1.${100 + n},25`, `${n},0`]);
  const lines = [['Width', 'Depth', 'Height'], ...rows].map((row) => row.join(delimiter));
  expect((await csv(lines.join('\r\n')))[7]).toBe(
    'table-row: Width: 67,5; Depth: 1.107,25; Height: 7,0',
  );
});

test('column names of two rows of an exported sheet are joined, and its groups fill their rows', async () => {
  const sheet =
    'Rota\nDepot;Room;Morning;;Since\n;;Early;Late;\nNorth;Hall;Ines;Paulo;2019\n;Pool;Hugo;;2020\n';
  expect(await csv(sheet)).toEqual([
    'paragraph: Rota',
    'table-row: Depot: North; Room: Hall; Morning Early: Ines; Morning Late: Paulo; Since: 2019',
    'table-row: Depot: North; Room: Pool; Morning Early: Hugo; Since: 2020',
  ]);
  expect(await csv('Week,Mon,Tue\nW 10,Ines,\n,Hugo,Vera\n')).toEqual([
    'table-row: Week: W 10; Mon: Ines',
    'table-row: Mon: Hugo; Tue: Vera',
  ]);
});

test('names and values above a CSV table are not the names of its columns', async () => {
  const rows = [
    'Valid from,1 April,',
    'Contact,harbour office,',
    ',,',
    'Berth,Length,Fee',
    'N4,12 m,31',
  ];
  expect(await csv(rows.join('\n'))).toEqual([
    'paragraph: Valid from: 1 April',
    'paragraph: Contact: harbour office',
    'table-row: Berth: N4; Length: 12 m; Fee: 31',
  ]);
  expect(await csv('Room,Price\n\n101,89\n\n102,95')).toEqual([
    'table-row: Room: 101; Price: 89',
    'table-row: Room: 102; Price: 95',
  ]);
});

test('a list of questions and answers has no names of columns, and a survey has', async () => {
  const list =
    'When does the dock open?,It opens at 7:30.\nWhere are the showers?,Behind the sail loft.';
  expect(await csv(list)).toEqual([
    'table-row: When does the dock open?; It opens at 7:30.',
    'table-row: Where are the showers?; Behind the sail loft.',
  ]);
  expect(await csv('Name,What did you like most?\nAda,I liked the food.\nBob,The pool.')).toEqual([
    'table-row: Name: Ada; What did you like most?: I liked the food.',
    'table-row: Name: Bob; What did you like most?: The pool.',
  ]);
});

test('quoted CSV values may contain line breaks, quotes and delimiters', async () => {
  expect(await csv('a,b\r\n"one\r\ntwo","say ""hi"", please"\r\n')).toEqual([
    'table-row: a: one two; b: say "hi", please',
  ]);
});

test.each([
  ['before a quote', 'Room, Price, Note\n101, "1,234", "sea, north"\n102, "2,345", none\n'],
  ['after a quote', 'Room,Price,Note\n101,"1,234" ,"sea, north" \n102,"2,345" ,none\n'],
])('a space %s does not end a quoted CSV value', async (_, table) => {
  expect(await csv(table)).toEqual([
    'table-row: Room: 101; Price: 1,234; Note: sea, north',
    'table-row: Room: 102; Price: 2,345; Note: none',
  ]);
});

test('empty values of a table with tabs keep their columns, also before a quote', async () => {
  expect(await csv('Room\tType\tPrice\n101\t\t "1,234"\n102\tSuite\t95\n')).toEqual([
    'table-row: Room: 101; Price: 1,234',
    'table-row: Room: 102; Type: Suite; Price: 95',
  ]);
});

test('a CSV value that goes on after its quote stays one value', async () => {
  expect(await csv('Room,Note\n101, "Sea" side\n102, 5" shelf\n')).toEqual([
    'table-row: Room: 101; Note: "Sea" side',
    'table-row: Room: 102; Note: 5" shelf',
  ]);
});

test('a CSV without a header is read value by value', async () => {
  expect(await csv('0041;<control>;Lu\n0042;LETTER B;Lu\n')).toEqual([
    'table-row: 0041; <control>; Lu',
    'table-row: 0042; LETTER B; Lu',
  ]);
});

test('years and symbols may be column names of a CSV', async () => {
  expect(await csv('#,Country,2024,2025\n1,Norway,12,14\n2,Chile,9,8\n')).toEqual([
    'table-row: #: 1; Country: Norway; 2024: 12; 2025: 14',
    'table-row: #: 2; Country: Chile; 2024: 9; 2025: 8',
  ]);
});

test('titles above the header of a CSV are separated from its rows', async () => {
  expect(await csv('Prices 2026,,\nRoom,Type,Price\n101,Garden,89\n')).toEqual([
    'paragraph: Prices 2026',
    'table-row: Room: 101; Type: Garden; Price: 89',
  ]);
});

test('a CSV with an unclosed quote keeps its rows', async () => {
  expect(await csv('Room,Note\n101,"broken\n102,fine\n')).toContain(
    'table-row: Room: 102; Note: fine',
  );
});

test('a byte order mark is not part of the first column name', async () => {
  expect(await csv('\ufeffRoom,Price\n101,89\n')).toEqual(['table-row: Room: 101; Price: 89']);
});

test('50,000 CSV rows are read before the test times out', async () => {
  const rows = Array.from(
    { length: 50_000 },
    (_, index) => `${index},Room ${index},${index % 300}`,
  );
  const { blocks } = await readCsv(Buffer.from(`Id,Name,Price\n${rows.join('\n')}`), limits);
  expect(blocks).toHaveLength(50_000);
});

test('placeholders of Markdown are text, and HTML is not', async () => {
  const lines = [
    'Replace <your-api-key> with the key, and <REGION> with the region.',
    'A <STRONG>bold</STRONG> <my-icon></my-icon> word<BR>and <b>more</b>.',
  ];
  expect(await markdown(lines.join('\n\n'))).toEqual([
    'paragraph: Replace <your-api-key> with the key, and <REGION> with the region.',
    'paragraph: A bold  word\nand more.',
  ]);
});

test('Markdown is read as rendered', async () => {
  const page = [
    '---\ntitle: Pool rules\n---',
    '# Pool *rules*',
    'Open **daily** from `07:00`\nto [21:00](#hours), see [our site](https://hotel.example/pool).',
    '1. Shower first.\n2. No ~~diving~~ `jumping`.\n   - Children under 8 with an adult.',
    '- [x] towels\n- [ ] slippers',
    '| Day | Hours |\n|---|---|\n| Sunday | 9 &ndash; 18 |',
    '```js\nopen("pool");\n```',
    '> Quoted.',
  ].join('\n\n');
  expect(await markdown(page)).toEqual([
    'heading1: Pool rules',
    'paragraph: Open daily from 07:00 to 21:00, see our site (https://hotel.example/pool).',
    'list-item: 1. Shower first.',
    'list-item: 2. No jumping.',
    'list-item:   - Children under 8 with an adult.',
    'list-item: - [x] towels',
    'list-item: - [ ] slippers',
    'table-row: Day | Hours',
    'table-row: Sunday | 9 – 18',
    'code: open("pool");',
    'paragraph: Quoted.',
  ]);
});

test('further paragraphs of a list item are part of the item, in Markdown and in plain text', async () => {
  const page =
    'Steps:\n\n1. Open.\n\n   Wait.\n\n   ```\n   close\n   ```\n\n2. Go.\n\nDone here.\n';
  const partsOf = ({ text, blocks }: ExtractedText) =>
    blocks
      .filter(({ isItemPart }) => isItemPart)
      .map(({ start, end }) => text.slice(start, end).trim());
  expect(partsOf(await readMarkdown(Buffer.from(page), limits))).toEqual(['Wait.', 'close']);
  const plain = '1. Open.\n\n   Wait.\n\n2. Go.\n\nDone here.\n\n   Indented.\n';
  expect(partsOf(await readTxt(Buffer.from(plain), limits))).toEqual(['Wait.']);
});

test('the items of a plain text list directly below its lead are list items', async () => {
  expect(await txt('We insure:\n- towels\n- robes\n\nRoses\n- are red')).toEqual([
    'paragraph: We insure:',
    'list-item: - towels',
    'list-item: - robes',
    'paragraph: Roses\n- are red',
  ]);
});

test('headings are kept in a part of a Markdown text that takes too long', async () => {
  const blocks = await markdown(`${'*a_ '.repeat(100_000)}\n# Pool *rules*\n\nShower first.\n`);
  expect(blocks.slice(1)).toEqual(['heading1: Pool *rules*', 'paragraph: Shower first.']);
});

test('a long Markdown text is read like a short one, wherever it is split', async () => {
  const filler = 'The hotel is open daily from [seven][Hours] to ten.\n\n'.repeat(400);
  const page = [
    '---\ntitle: A\n\nname: B\n---\n',
    filler,
    '<!--\n\n# Hidden\n\n-->\n\n```sh\necho\n\n# comment\n\nDone\n```\n',
    filler,
    '1. Open[^1].\n\n   Wait.\n2. Close.\n',
    filler,
    '[hours]: https://hotel.example/hours\n[^1]: Slowly.\n',
  ].join('\n');
  const blocks = await markdown(page);
  const sentence = 'paragraph: The hotel is open daily from seven to ten.';
  expect(blocks.filter((block) => block !== sentence)).toEqual([
    'heading1: A',
    'code: echo\n\n# comment\n\nDone',
    'list-item: 1. Open.',
    'paragraph: Wait.',
    'list-item: 2. Close.',
    'paragraph: Slowly.',
  ]);
  expect(blocks).toHaveLength(1_206);
});

test('HTML in Markdown loses its tags and scripts, but not its text', async () => {
  const html =
    '<table><tr><th>Day</th><th>Price</th></tr><tr><td>Mon</td><td>5&nbsp;&euro;</td></tr></table>';
  expect(
    await markdown(`${html}\n\nSee <b>this</b>.\n\n<div>Hi<script>alert(1)</script></div>`),
  ).toEqual([
    'table-row: Day | Price',
    'table-row: Mon | 5 €',
    'paragraph: See this.',
    'paragraph: Hi',
  ]);
});

test('the body of an MkDocs admonition is text, not code', async () => {
  expect(await markdown('??? question "Pets?"\n    ### Pets\n\n    Dogs are *welcome*.\n')).toEqual(
    ['paragraph: Pets?', 'heading3: Pets', 'paragraph: Dogs are welcome.'],
  );
});

test('plain text keeps paragraphs, underlined titles, lists and verses', async () => {
  const wrapped = `${'Breakfast is served from seven to ten in the Pier Restaurant on the'}\n${'ground floor, on Sundays until eleven.'}`;
  expect(await txt(`Hours\n=====\n\n${wrapped}\n\n- towels\n- robes\n\nRoses\nare red`)).toEqual([
    'heading1: Hours',
    'paragraph: Breakfast is served from seven to ten in the Pier Restaurant on the ground floor, on Sundays until eleven.',
    'list-item: - towels',
    'list-item: - robes',
    'paragraph: Roses\nare red',
  ]);
});

test('blocks are ordered, do not overlap, and contain every word of the text', () => {
  const { text, blocks } = extractFromPlainText('One.\n\n\nTwo\nthree.\r\n\r\nFour.\u0000', 100);
  let end = 0;
  for (const block of blocks) {
    expect(text.slice(end, block.start).trim()).toBe('');
    expect(block.end).toBeGreaterThan(block.start);
    end = block.end;
  }
  expect(text).toBe('One.\n\nTwo\nthree.\n\nFour.');
  expect(end).toBe(text.length);
});

test('a file without text is EMPTY_TEXT, binary data CORRUPT_FILE, and too much text TOO_LARGE', async () => {
  await expect(txt('  \n---\n\t')).rejects.toMatchObject({ code: 'EMPTY_TEXT' });
  await expect(csv(',,\n,,\n')).rejects.toMatchObject({ code: 'EMPTY_TEXT' });
  await expect(readTxt(Buffer.alloc(500, 1), limits)).rejects.toMatchObject({
    code: 'CORRUPT_FILE',
  });
  const small = { ...limits, textCharacters: 10 };
  await expect(readTxt(Buffer.from('twelve chars'), small)).rejects.toMatchObject({
    code: 'TOO_LARGE',
  });
});

test('a log of hundreds of thousands of lines without a blank line is read', async () => {
  expect(await txt('09:30 ferry\n'.repeat(200_000))).toHaveLength(1);
});

test('a text of hundreds of thousands of underlined titles is read', async () => {
  expect(await txt('Pier\n----\n'.repeat(200_000))).toHaveLength(200_000);
});

test('a text of millions of blank lines is EMPTY_TEXT, not CORRUPT_FILE', async () => {
  await expect(txt('\n'.repeat(9_000_000))).rejects.toMatchObject({ code: 'EMPTY_TEXT' });
});

test('long runs of spaces within a line take linear time', async () => {
  // If the time grew quadratically, this would exceed the time limit of the test.
  expect(await txt(`a${' '.repeat(200_000)}b`)).toHaveLength(1);
});

test('HTML in cells of a Markdown table is read as text, also with broken tags', async () => {
  const source = `| Name | Notes |
|---|---|
| A | Size in MB.<ul><li>For uploads</li><li>Not for <b>images</b></li></ul> |
| B | Size<br>in MB. < ul >< li >odd< /li >< li>two< /li></ul> |
| C | a < b and <your-key> and x<sup>2</sup> <p>one</p><p>two</p> |
`;
  const text = await readMarkdown(Buffer.from(source), defaultExtractLimits);
  expect(describeBlocks(text)).toEqual([
    'table-row: Name | Notes',
    'table-row: A | Size in MB. For uploads; Not for images',
    'table-row: B | Size in MB. odd; two',
    'table-row: C | a < b and <your-key> and x² one two',
  ]);
});

test('a further paragraph of an item may end with items of its own', async () => {
  const text =
    '1. Elect a leader.\n\n   The leader may:\n   1. Make decisions.\n   2. Appoint delegates.\n';
  expect(await txt(text)).toEqual([
    'list-item: 1. Elect a leader.',
    'paragraph:    The leader may:',
    'list-item:    1. Make decisions.',
    'list-item:    2. Appoint delegates.',
  ]);
});
