import { expect, test } from 'vitest';
import { extractFromPlainText } from '../../../src/extract/text-formats/txt.ts';
import { describeBlocks } from '../../support/programs/describe-blocks.ts';

const read = (...lines: readonly string[]) =>
  describeBlocks(extractFromPlainText(lines.join('\n'), 100_000));

test('columns that are aligned by spaces are a table, and a row of titles names its cells', () => {
  expect(
    read(
      '                          Kiosk (1 day)   Hall (2 days)',
      '  Low   (March, November)      EUR 78         EUR 104',
      '  High  (July, August)        EUR 129         EUR 168',
    ),
  ).toEqual([
    'table-row: Low (March, November); Kiosk (1 day): EUR 78; Hall (2 days): EUR 104',
    'table-row: High (July, August); Kiosk (1 day): EUR 129; Hall (2 days): EUR 168',
  ]);
});

test('a ruled row, and a row above numbers, are titles', () => {
  const rows = ['table-row: Size: small; Price: 4.50', 'table-row: Size: large; Price: 12.00'];
  expect(read('Size    Price', '------  -----', 'small    4.50', 'large   12.00')).toEqual(rows);
  expect(read('Size     Price', 'small     4.50', 'large    12.00')).toEqual(rows);
});

test('rows without titles keep their cells', () => {
  expect(
    read('The lamp is red', 'E1    Filter blocked     rinse it', 'E2    Motor too hot      wait'),
  ).toEqual([
    'paragraph: The lamp is red',
    'table-row: E1; Filter blocked; rinse it',
    'table-row: E2; Motor too hot; wait',
  ]);
});

test('a line without a name continues the cells above it', () => {
  expect(
    read('red      the tank is', '         empty', 'green    ready', '         for use'),
  ).toEqual(['table-row: red; the tank is empty', 'table-row: green; ready for use']);
});

test('tabs separate columns', () => {
  expect(read('Monday\t9 to 12', 'Tuesday\tclosed', 'Wednesday\t9 to 17')).toEqual([
    'table-row: Monday; 9 to 12',
    'table-row: Tuesday; closed',
    'table-row: Wednesday; 9 to 17',
  ]);
});

test.each([
  ['wide spaces after sentences', ['We open at nine.  On Sunday', 'we are closed.  Please ring']],
  ['items of a list', ['- bread    two loaves', '- milk     a litre']],
  ['fields', ['Name:      Ada', 'Street:    Long Lane']],
  ['one line', ['bread     two loaves']],
  ['long texts', [`${'so it goes '.repeat(6)}    on`, `${'so it went '.repeat(6)}    up`]],
])('%s are no table', (_, lines) => {
  expect(read(...lines).join('\n')).not.toContain('table-row');
});

test('a title in upper case directly above its text is a heading', () => {
  const text = 'One dog is welcome in the hall, and two cats in the yard behind it, on a lead.';
  expect(read('PETS', text)).toEqual(['heading2: PETS', `paragraph: ${text}`]);
  expect(read('4. PETS AND SMOKING (per day)', text)[0]).toBe(
    'heading2: 4. PETS AND SMOKING (per day)',
  );
  expect(read('2. PRICES', '', '  small    4.50', '  large   12.00')[0]).toBe(
    'heading2: 2. PRICES',
  );
  expect(read('PETS ARE WELCOME,', text)[0]).toMatch(/^paragraph/);
  expect(
    read('NOTICE TO ALL', 'AND TO EVERYBODY ELSE IN THE HALL, THE YARD AND THE BARN BEHIND'),
  ).toHaveLength(1);
});

test('a long line of spaces is read in little time', () => {
  const line = `a${' '.repeat(20_000)}b`;
  expect(read(line, line, line)).toHaveLength(3);
});

test('a long name may reach into the column of the values', () => {
  expect(
    read(
      'Adults                                 18.00 euros',
      'Families (two adults with children)    27.00 euros',
      'Reduced (students, pensioners, others)  9.00 euros',
      'Children                               free',
    ),
  ).toEqual([
    'table-row: Adults; 18.00 euros',
    'table-row: Families (two adults with children); 27.00 euros',
    'table-row: Reduced (students, pensioners, others); 9.00 euros',
    'table-row: Children; free',
  ]);
});

test('dots lead from a name to its value', () => {
  expect(read('Locker   ....  24.00', '50 sq ft ....  99.00')).toEqual([
    'table-row: Locker; 24.00',
    'table-row: 50 sq ft; 99.00',
  ]);
  expect(read('Band 1 to 3 ........ 11 pounds', 'Band 4 and 5 ....... 18 pounds')).toEqual([
    'table-row: Band 1 to 3; 11 pounds',
    'table-row: Band 4 and 5; 18 pounds',
  ]);
});

test('a table of contents is no table', () => {
  expect(
    read('Definitions ........ 3', 'Getting the files .. 12', 'Index ............. 40').join(),
  ).not.toContain('table-row');
});

test('a short title directly above its text is a heading', () => {
  const text = 'Lockers take one euro, and bags have to be in them before anybody enters a room.';
  expect(read('House rules', text)[0]).toBe('heading2: House rules');
  expect(
    read('6. What to bring', '- a blanket', '- medicines in their packing, as much as is needed'),
  ).toEqual([
    'heading2: 6. What to bring',
    'list-item: - a blanket',
    'list-item: - medicines in their packing, as much as is needed',
  ]);
  expect(read('5. How many may I take?', text)[0]).toBe('heading2: 5. How many may I take?');
});

test('the first line of a sentence is no title', () => {
  const item = '1. An organisation that holds assets has no authority';
  expect(read(item, 'regarding decisions of the project or of any of its members.')[0]).toMatch(
    /^list-item/,
  );
  expect(
    read('The house is open', 'every day of the year, from nine in the morning on.')[0],
  ).toMatch(/^paragraph/);
});

test('a sentence below a list is no part of its last item', () => {
  expect(
    read(
      'Bring:',
      '- a blanket',
      '- the number of an emergency contact',
      'Bowls are provided. Toys are left at your own risk, as the runs are shared by all dogs.',
    ),
  ).toEqual([
    'paragraph: Bring:',
    'list-item: - a blanket',
    'list-item: - the number of an emergency contact',
    'paragraph: Bowls are provided. Toys are left at your own risk, as the runs are shared by all dogs.',
  ]);
  expect(
    read(
      '- the number of an emergency contact, who knows the dog and the',
      'Veterinary surgeon of the owner',
    ),
  ).toHaveLength(1);
});

test('long runs of lines are read in linear time, and tabs need no memory', () => {
  const rows = Array.from({ length: 20_000 }, (_, row) => `row ${row + 100_000}    value`);
  expect(extractFromPlainText(rows.join('\n'), 10_000_000).blocks).toHaveLength(20_000);
  const pairs = rows.map((_, row) => `row${' '.repeat(3 + ((row * 7_919) % 40))}v`);
  expect(extractFromPlainText(pairs.join('\n'), 10_000_000).blocks).toHaveLength(1);
  const lists = rows.flatMap(() => ['Bring:', '- a blanket', 'Bowls are there.']);
  expect(extractFromPlainText(lists.join('\n'), 10_000_000).blocks.length).toBeGreaterThan(20_000);
  const tabs = rows.map(() => `a${'\t'.repeat(100)}b`);
  expect(extractFromPlainText(tabs.join('\n'), 10_000_000).blocks).toHaveLength(20_000);
});
