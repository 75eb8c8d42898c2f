import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { defaultExtractLimits } from '../../../src/extract/extract-limits.ts';
import { readXlsx } from '../../../src/extract/tables/xlsx.ts';
import { buildOfficePackage, encryptedOffice } from '../../fixtures/build-office-package.ts';
import { buildXlsx, type Cell, type Sheet } from '../../fixtures/build-xlsx.ts';
import { describeBlocks } from '../../support/programs/describe-blocks.ts';

async function read(...parameters: Parameters<typeof buildXlsx>): Promise<string[]> {
  return describeBlocks(await readXlsx(buildXlsx(...parameters), defaultExtractLimits));
}

const styled = (style: number, value: number): Cell => ({ raw: `s="${style}"><v>${value}</v>` });

test('each row names its columns, below the name of its sheet', async () => {
  const sheets: Sheet[] = [
    {
      name: 'Rooms',
      rows: [
        ['Room', 'Price', 'Balcony'],
        ['101', 89, null],
        ['201', 135, 'yes'],
      ],
    },
    {
      name: 'Staff &amp; more',
      rows: [
        ['Name', 'Phone'],
        ['Ann', '555'],
      ],
    },
  ];
  expect(await read(sheets)).toEqual([
    'heading1: Rooms',
    'table-row: Room: 101; Price: 89',
    'table-row: Room: 201; Price: 135; Balcony: yes',
    'heading1: Staff & more',
    'table-row: Name: Ann; Phone: 555',
  ]);
  expect(await read([{ name: 'Tabelle1', rows: [['Open daily']] }])).toEqual([
    'paragraph: Open daily',
  ]);
});

test('shared and formatted texts, results of formulas, booleans and errors are read', async () => {
  const strings = `<sst><si><t>Pool</t></si><si><r><rPr><b/></rPr><t>Gar</t></r><r><t>den</t></r>
    <rPh><t>ガーデン</t></rPh></si></sst>`;
  const cells: Cell[] = [
    { raw: 't="s"><v>0</v>' },
    { raw: 't="s"><v>1</v>' },
    { raw: 't="str"><f>A1&amp;"x"</f><v>Poolx</v>' },
    { raw: 't="b"><v>1</v>' },
    { raw: 't="e"><v>#REF!</v>' },
    { raw: '><f>1+2</f><v>3</v>' },
    { raw: '><v>0.30000000000000004</v>' },
  ];
  expect(await read([{ rows: [cells] }], { parts: { 'xl/sharedStrings.xml': strings } })).toEqual([
    'table-row: Pool; Garden; Poolx; TRUE; 3; 0.3',
  ]);
});

test('a shared text without an index is empty', async () => {
  const parts = { 'xl/sharedStrings.xml': '<sst><si><t>Pool</t></si></sst>' };
  const cells: Cell[] = [{ raw: 't="s"><v>0</v>' }, { raw: 't="s">' }, { raw: 't="s"><v/>' }, 'x'];
  expect(await read([{ rows: [cells] }], { parts })).toEqual(['table-row: Pool; x']);
});

test('a number whose format is not defined is shown as it is', async () => {
  const row = [styled(1, 46_095.5), styled(2, 0.19), styled(3, 0.19)];
  expect(await read([{ rows: [row] }], { formats: [196, 165, 67] })).toEqual([
    'table-row: 46095.5; 0.19; 19%',
  ]);
});

test('dates are ISO 8601, and numbers are formatted like in the sheet', async () => {
  const formats = [
    14,
    22,
    'dd.mm.yy hh:mm:ss',
    'h:mm AM/PM',
    'mmm yyyy',
    '[h]:mm',
    9,
    '#,##0.00 [$€-407]',
    '00000',
    57,
  ];
  const row = [
    ...[1, 2, 3].map((style) => styled(style, 46_095.5)),
    styled(4, 0.75),
    styled(5, 46_095),
    styled(6, 1.5),
    styled(7, 0.19),
    styled(8, 1234.5),
    styled(9, 42),
    styled(10, 46_095),
  ];
  expect(await read([{ rows: [row] }], { formats })).toEqual([
    'table-row: 2026-03-14; 2026-03-14 12:00; 2026-03-14 12:00:00; 18:00; Mar 2026; 36:00; 19%; 1,234.50 €; 00042; 2026-03-14',
  ]);
  const workbook = '<workbookPr date1904="1"/>';
  expect(await read([{ rows: [[styled(1, 44_633)]] }], { formats, workbook })).toEqual([
    'paragraph: 2026-03-14',
  ]);
});

test('merged cells repeat their label in all rows, and a wide one labels the rows below it', async () => {
  const rows = [
    ['Floor', 'Room', 'Price'],
    ['First', '101', 89],
    [null, '102', 95],
    ['Garden side', null, null],
    ['Second', '201', 135],
  ];
  expect(await read([{ rows, merges: ['A2:A3', 'A4:C4'] }])).toEqual([
    'table-row: Floor: First; Room: 101; Price: 89',
    'table-row: Floor: First; Room: 102; Price: 95',
    'paragraph: Garden side',
    'table-row: Floor: Second; Room: 201; Price: 135',
  ]);
});

test('a cell over columns fills all of them, and a title over the whole width is a caption', async () => {
  const rows = [
    ['Rota', null, null],
    ['Week', 'Mon', 'Tue'],
    ['W 10', 'Ines', null],
    ['W 11', 'Hugo', 'Vera'],
    ['W 12', 'Paulo', null],
    ['W 13', null, null],
  ];
  expect(await read([{ rows, merges: ['A1:C1', 'B3:C3', 'B5:C6'] }])).toEqual([
    'paragraph: Rota',
    'table-row: Week: W 10; Mon: Ines; Tue: Ines',
    'table-row: Week: W 11; Mon: Hugo; Tue: Vera',
    'table-row: Week: W 12; Mon: Paulo; Tue: Paulo',
    'table-row: Week: W 13; Mon: Paulo; Tue: Paulo',
  ]);
  const narrow = [
    ['Prices of May', null],
    ['Room', 'Price'],
    ['Hall', 5],
  ];
  expect(await read([{ rows: narrow, merges: ['A1:B1'] }])).toEqual([
    'paragraph: Prices of May',
    'table-row: Room: Hall; Price: 5',
  ]);
});

test('a row of data below joined data is not part of the column names', async () => {
  const rows = [
    ['Week', 'Mon', 'Tue'],
    ['W 10', 'Ines', null],
    ['W 11', 'Hugo', 'Vera'],
  ];
  expect(await read([{ rows, merges: ['B2:C2'] }])).toEqual([
    'table-row: Week: W 10; Mon: Ines; Tue: Ines',
    'table-row: Week: W 11; Mon: Hugo; Tue: Vera',
  ]);
});

test('groups of column names may be two rows high, or have numbers below them', async () => {
  const rows = [
    ['Room', 'Winter', null, null, null],
    [null, 'Class', null, 'Guests', null],
    [null, '1', '2', '1', '2'],
    ['Hall', 5, 6, 7, 8],
  ];
  expect(await read([{ rows, merges: ['A1:A3', 'B1:E1', 'B2:C2', 'D2:E2'] }])).toEqual([
    'table-row: Room: Hall; Winter Class 1: 5; Winter Class 2: 6; Winter Guests 1: 7; Winter Guests 2: 8',
  ]);
});

test('titles that span column names are part of the names', async () => {
  const rows = [
    ['Room', '2025', null, '2026', null],
    [null, 'Low', 'High', 'Low', 'High'],
    ['Garden', 80, 95, 89, 110],
  ];
  expect(await read([{ rows, merges: ['A1:A2', 'B1:C1', 'D1:E1'] }])).toEqual([
    'table-row: Room: Garden; 2025 Low: 80; 2025 High: 95; 2026 Low: 89; 2026 High: 110',
  ]);
});

test('a sheet may contain titles, several tables, and notes', async () => {
  const rows = [
    ['Price list 2026', null, null],
    [],
    ['Room', 'Type', 'Price'],
    ['101', 'Garden', 89],
    [],
    ['102', 'Suite', 135],
    [],
    [],
    ['City', 'Distance'],
    ['Kiel', '2 km'],
    [],
    ['Prices include breakfast.'],
  ];
  expect(await read([{ rows }])).toEqual([
    'paragraph: Price list 2026',
    'table-row: Room: 101; Type: Garden; Price: 89',
    'table-row: Room: 102; Type: Suite; Price: 135',
    'table-row: City: Kiel; Distance: 2 km',
    'paragraph: Prices include breakfast.',
  ]);
});

test('hidden sheets, rows and columns are omitted, but not filtered rows and closed outlines', async () => {
  const rows = [
    ['Name', 'Pay', 'City'],
    ['Ann', 5, 'Kiel'],
    ['Bob', 6, 'Bonn'],
    ['Cem', 7, 'Köln'],
  ];
  const before = '<cols><col min="2" max="2" hidden="1"/></cols>';
  const rowAttributes = { 3: 'hidden="1"', 4: 'hidden="1" outlineLevel="1"' };
  const secret: Sheet = { attributes: 'state="veryHidden"', rows: [['Secret']] };
  expect(await read([{ rows, before, rowAttributes }, secret])).toEqual([
    'table-row: Name: Ann; City: Kiel',
    'table-row: Name: Cem; City: Köln',
  ]);
  const filtered = { rows, before: '<sheetPr filterMode="1"/>', rowAttributes };
  expect(await read([filtered])).toHaveLength(3);
});

test('text boxes of a sheet follow its rows', async () => {
  const bytes = buildOfficePackage(
    {
      'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
      'xl/sheet.xml': '<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>',
      'xl/drawing.xml': '<xdr:wsDr><xdr:sp><a:p><a:t>Boxed</a:t></a:p></xdr:sp></xdr:wsDr>',
    },
    {
      '': { r1: 'officeDocument xl/workbook.xml' },
      'xl/workbook.xml': { r1: 'worksheet sheet.xml' },
      'xl/sheet.xml': { r1: 'drawing drawing.xml' },
    },
  );
  expect(describeBlocks(await readXlsx(bytes, defaultExtractLimits))).toEqual([
    'heading1: A',
    'paragraph: 1',
    'paragraph: Boxed',
  ]);
});

test('100,000 rows are read, and rows in distant columns take no memory for the columns between', async () => {
  const row = (index: number, column: string) =>
    `<row r="${index}"><c r="A${index}"><v>${index}</v></c><c r="${column}${index}" t="b"><v>1</v></c></row>`;
  const rows = Array.from({ length: 100_000 }, (_, index) =>
    row(index + 1, index % 2 ? 'XFD' : 'B'),
  );
  const sheet = `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`;
  const { blocks } = await readXlsx(
    buildXlsx([{ rows: [] }], { parts: { 'xl/worksheets/sheet0.xml': sheet } }),
    defaultExtractLimits,
  );
  expect(blocks.length).toBe(100_000);
});

const rejects = (bytes: Uint8Array, code: string, limits = defaultExtractLimits) =>
  expect(readXlsx(bytes, limits)).rejects.toMatchObject({ code });

test('bombs are TOO_LARGE: zip, repeated text, and nested elements', async () => {
  const bomb = zipSync({ 'xl/workbook.xml': new Uint8Array(30_000_000) });
  expect(bomb.length).toBeLessThan(100_000);
  await rejects(bomb, 'TOO_LARGE');
  const strings = `<sst><si><t>${'long '.repeat(20_000)}</t></si></sst>`;
  const rows = Array.from({ length: 1_000 }, () => [{ raw: 't="s"><v>0</v>' }]);
  await rejects(buildXlsx([{ rows }], { parts: { 'xl/sharedStrings.xml': strings } }), 'TOO_LARGE');
  const deep = `${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`;
  await rejects(buildXlsx([{ rows: [['x']], after: deep }]), 'TOO_LARGE');
});

test('merged ranges over all cells, and thousands of them, take little time', async () => {
  const rows = Array.from({ length: 2_000 }, (_, index) => [`a${index}`, 1]);
  const merges = Array.from({ length: 20_000 }, () => 'A1:XFD1048576');
  expect(await read([{ rows, merges }])).toHaveLength(2_000);
});

test('entities are never expanded', async () => {
  const sheet = '<!DOCTYPE d [<!ENTITY a "boom">]><worksheet>&a;</worksheet>';
  await rejects(
    buildXlsx([{ rows: [] }], { parts: { 'xl/worksheets/sheet0.xml': sheet } }),
    'CORRUPT_FILE',
  );
});

test('damaged, encrypted and empty workbooks have their error codes', async () => {
  const whole = buildXlsx([{ rows: [['Hello']] }]);
  for (const bytes of [
    whole.subarray(0, whole.length / 2),
    strToU8('PK'),
    zipSync({ a: strToU8('b') }),
  ]) {
    await rejects(bytes, 'CORRUPT_FILE');
  }
  await rejects(encryptedOffice(), 'ENCRYPTED');
  const locked = Buffer.from(whole);
  locked[6] = (locked[6] ?? 0) | 1;
  await rejects(locked, 'ENCRYPTED');
  await rejects(buildXlsx([{ rows: [[]] }]), 'EMPTY_TEXT');
});
