import { expect, it } from 'vitest';
import {
  asksForOtherColumn,
  namedRow,
  namesColumn,
  rowText,
  selectCells,
  selectColumns,
} from '../../src/text/row-text.ts';
import { readRecords, readTitledRow } from '../../src/text/table-rows.ts';

const titles = [['Plan', 'Price', 'Storage (GB)', 'Notes']];
const team = readTitledRow('Team | 20 € | 50 | ', titles);

function textFor(question: string): string {
  if (team === null) throw new Error('not read');
  return rowText(selectColumns(team, question));
}

it('a row starts with its name and leaves out empty cells', () => {
  expect(textFor('Tell me about Team')).toBe('Team — Price: 20 €, Storage (GB): 50');
});

it.each([
  ['names one', 'How much storage has Team?', 'Team — Storage (GB): 50'],
  ['names two', 'What is the price and storage?', 'Team — Price: 20 €, Storage (GB): 50'],
  ['names an empty one', 'Any notes on Team?', 'Team — Price: 20 €, Storage (GB): 50'],
])('a row contains the columns that the question names: %s', (_, question, text) => {
  expect(textFor(question)).toBe(text);
});

it('a column whose value is in the question is not the one asked for', () => {
  const row = namedRow([
    { title: 'Code', value: 'P1' },
    { title: 'Flag', value: '--dry-run' },
    { title: 'Effect', value: 'Nothing is written.' },
  ]);
  expect(rowText(selectColumns(row, 'What does the flag --dry-run do?'))).toBe(
    'P1 — Flag: --dry-run, Effect: Nothing is written.',
  );
});

it('of two titles, the one with more words of the question is meant', () => {
  const row = namedRow([
    { title: '', value: 'Adult' },
    { title: 'Day ticket', value: '9' },
    { title: 'Ticket', value: '2' },
  ]);
  expect(rowText(selectColumns(row, 'What does a day ticket cost?'))).toBe('Adult — Day ticket: 9');
});

it('a first cell without words is no name, and values with commas are separated by semicolons', () => {
  expect(
    rowText(
      namedRow([
        { title: 'Year', value: '1990' },
        { title: 'Place', value: 'Rome' },
      ]),
    ),
  ).toBe('Year: 1990, Place: Rome');
  expect(
    rowText(
      namedRow([
        { title: 'Name', value: 'Ann' },
        { title: 'City', value: 'Paris, Texas' },
        { title: 'Age', value: '40' },
      ]),
    ),
  ).toBe('Ann — City: Paris, Texas; Age: 40');
});

it('reads several records with the same first title, but no form of one line', () => {
  const rows = ['Name: Ann; City: Rome', 'Name: Bob; City: Paris'];
  expect(readRecords(rows)?.map(rowText)).toEqual(['Ann — City: Rome', 'Bob — City: Paris']);
  expect(readRecords(rows.slice(1))).toBeNull();
  expect(readRecords(['Name: Ann; 5', 'Name: Bob; 6'])).toBeNull();
});

it('the names of a table often have no title', () => {
  const rows = ['High (July); Puffin: 129; Gannet: 168', 'Low (March); Puffin: 78; Gannet: 104'];
  expect(readRecords(rows)?.map(rowText)).toEqual([
    'High (July) — Puffin: 129, Gannet: 168',
    'Low (March) — Puffin: 78, Gannet: 104',
  ]);
});

const accident = namedRow([
  { title: 'Number', value: 'ANC23' },
  { title: 'ProbableCause', value: 'Ice on the wing' },
  { title: 'Start Date', value: '2023-01-02' },
  { title: 'Report Title', value: 'Report of Kenai' },
  { title: 'Report Status', value: 'Completed' },
]);

it.each([
  ['What caused the accident?', true],
  ['When did it start?', true],
  ['How many people are in the report?', false],
  ['Who flew it?', false],
])('a record has a column with half of the words of "%s": %s', (question, isNamed) => {
  expect(namesColumn(accident, question)).toBe(isNamed);
});

const trailer = namedRow([
  { title: 'Station', value: 'North depot' },
  { title: 'Vehicle', value: 'Trailer' },
  { title: 'Price per day Member', value: '6.00 €' },
  { title: 'Price per day Guest', value: '9.25 €' },
]);

it.each([
  ['At which station is the trailer?', true],
  ['What does the trailer cost for guests?', true],
  ['Is the trailer at the station North depot?', false],
  ['How many days does the trailer need?', false],
])(
  'a record has a column with its name, or with words of a group, of "%s": %s',
  (question, isNamed) => {
    expect(namesColumn(trailer, question)).toBe(isNamed);
  },
);

it.each([
  ['What is the salary of ANC23?', true],
  ['What is the probable cause of ANC23?', false],
  ['Is it ANC23?', false],
])('a row lacks the column of "%s": %s', (question, isOther) => {
  expect(asksForOtherColumn(accident, question)).toBe(isOther);
});

it('cells in prose are shown with the others, unless they are texts of their own', () => {
  const prose = { title: 'Note', value: 'The note says something about the others of it.' };
  const text = { title: 'Text', value: 'word '.repeat(70).trim() };
  const row = { name: 'Kenai', cells: [{ title: 'Place', value: 'Alaska' }, prose, text] };
  expect(selectCells(row, 'In which place?').cells.map(({ title }) => title)).toEqual([
    'Place',
    'Note',
  ]);
});

it.each([
  ['What does the trailer cost per day for members?', 'Trailer — Price per day Member: 6 €'],
  ['What does the trailer cost for guests?', 'Trailer — Price per day Guest: 9 €'],
  [
    'What does the trailer cost per day?',
    'Trailer — Price per day Member: 6 €, Price per day Guest: 9 €, Since: 2019',
  ],
])('of a group of columns, the one that the question names is asked for: %s', (question, text) => {
  const row = namedRow([
    { title: 'Vehicle', value: 'Trailer' },
    { title: 'Price per day Member', value: '6 €' },
    { title: 'Price per day Guest', value: '9 €' },
    { title: 'Since', value: '2019' },
  ]);
  expect(rowText(selectColumns(row, question))).toBe(text);
});
