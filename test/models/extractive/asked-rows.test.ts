import { describe, expect, test } from 'vitest';
import { answerCandidates } from '../../../src/models/extractive/answer-candidates.ts';
import { askedRows } from '../../../src/models/extractive/asked-rows.ts';
import { rowText } from '../../../src/text/row-text.ts';

const rooms = `Room | Seats | Projector | Price per hour
Pine | 6 | no | 15 euros
Oak | 12 | yes | 25 euros
Beech | 20 | yes | 40 euros
Maple | 8 | no | 15 euros`;
const loans = `Credit score | Interest rate
800 and above | 4.9 %
750–799 | 5.9 %
700–749 | 7.4 %
below 700 | no loan`;

function find(question: string, table: string, after = '\n\nAsk at the front desk.') {
  const source = { documentName: 'Prices.md', context: '', content: table + after };
  const { rows, isUndecided } = askedRows(question, answerCandidates([source]));
  return isUndecided ? 'undecided' : rows.map(({ row }) => rowText(row));
}

describe('a number of the question', () => {
  test.each([
    ['What interest rate do I get with a score of 720?', ['700–749 — Interest rate: 7.4 %']],
    ['Which interest applies to a credit score of 812?', ['800 and above — Interest rate: 4.9 %']],
    ['Do I get a loan with a credit score of 530?', ['below 700 — Interest rate: no loan']],
  ])('finds the row with the range that contains it: %s', (question, rows) => {
    expect(find(question, loans)).toEqual(rows);
  });

  test.each([
    ['How many of the 720 pupils can swim?', loans],
    ['Is there a room for 12 people?', rooms],
    ['What was the interest rate on 12.11.2020?', loans],
  ])('finds nothing in another table, and in one without ranges: %s', (question, table) => {
    expect(find(question, table)).toEqual([]);
  });
});

describe('a key of the question', () => {
  const lockers = `Locker | Owner
4-12 | Ada
12-4 | Bo
4-21 | Cy
41-2 | Finn
2-14 | Dora`;
  const ferries = `Departure | Destination
07:30 | Orsk
07:03 | Lund
17:30 | Saltum
13:07 | Moss`;

  test.each([
    ['Who owns locker 4-12?', lockers, 'Locker: 4-12, Owner: Ada'],
    ['Who owns locker 12/4?', lockers, 'Locker: 12-4, Owner: Bo'],
    [
      'Where does the ferry at 7.30 am go? Which destination?',
      ferries,
      'Departure: 07:30, Destination: Orsk',
    ],
    [
      'What is the destination of the departure at 5:30 pm?',
      ferries,
      'Departure: 17:30, Destination: Saltum',
    ],
  ])('finds the row with it, and none with the same numbers: %s', (question, table, row) => {
    expect(find(question, table)).toEqual([row]);
  });

  test('finds nothing if no row has it', () => {
    expect(find('Who owns locker 12-42?', lockers)).toEqual([]);
  });
});

test.each([
  ['How much is the fee in winter for boats longer than 9 m?', 'Winter, longer than 9 m — Fee: 26'],
  ['What is the summer fee for a boat of 8 m?', 'Summer, up to 9 m — Fee: 34'],
])(
  'of several rows with the range, the one that the question names is found: %s',
  (question, row) => {
    const fees = `Season | Boat | Fee
Summer | up to 9 m | 34
Summer | longer than 9 m | 48
Winter | up to 9 m | 18
Winter | longer than 9 m | 26`;
    expect(find(question, fees)).toEqual([row]);
  },
);

describe('a bound of the question', () => {
  test.each([
    ['Which rooms cost less than 20 euros per hour?', ['Pine', 'Maple']],
    ['Which rooms cost more than 25 euros?', ['Beech']],
    ['Which rooms cost at least 25 euros?', ['Oak', 'Beech']],
    ['Which rooms have less than 10 seats?', ['Pine', 'Maple']],
  ])('finds all rows with such a value: %s', (question, names) => {
    const found = find(question, rooms);
    expect(Array.isArray(found) && found.map((row) => row.split(' ')[0])).toEqual(names);
  });

  test('is read in German, too', () => {
    const baths = 'Bad | Eintritt\nNordbad | 5 Euro\nSüdbad | 7 Euro\nSeebad | 4 Euro';
    expect(find('Welche Bäder kosten höchstens 5 Euro Eintritt?', baths)).toHaveLength(2);
  });

  test('is undecided if no row has such a value, or the table may be longer', () => {
    expect(find('Which rooms cost less than 10 euros?', rooms)).toBe('undecided');
    const cut = `${rooms}\n${'Cedar | 4 | no | 15 euros\n'.repeat(30)}`;
    expect(find('Which rooms cost less than 20 euros?', cut, '')).toBe('undecided');
  });

  test('finds nothing without a unit, or with another unit', () => {
    expect(find('Which rooms have less than 10?', rooms)).toEqual([]);
    expect(find('Which rooms are more than 10 km away?', rooms)).toEqual([]);
  });
});

describe('a question for rows with "yes"', () => {
  test.each([
    ['Which rooms have a projector?', ['Oak', 'Beech']],
    ['Which rooms do not have a projector?', ['Pine', 'Maple']],
  ])('gets all of them: %s', (question, names) => {
    const found = find(question, rooms);
    expect(Array.isArray(found) && found.map((text) => text.split(' — ')[0])).toEqual(names);
  });

  test.each(['Which rooms have seats?', 'Which rooms are red?'])(
    'is not assumed: %s',
    (question) => {
      expect(find(question, rooms)).toEqual([]);
    },
  );
});

describe('a code or a name', () => {
  const errors = `HTTP | Code | Meaning
401 | bad_key | Key missing
402 | no_balance | Balance too low
409 | already_scanned | Parcel is on its way`;
  const courses = `Day | Course | Teacher
Monday | Back exercises | A. Okafor
Tuesday | Italian | L. Moreno
Wednesday | Yoga | A. Okafor
Thursday | Salsa | P. Moreno
Friday | Pottery | J. Ames`;
  test.each([
    ['Creating a label fails with code 402, how do I fix it?', errors, ['402']],
    ['What does the code already_scanned mean?', errors, ['409']],
    ['Which courses does Ms Okafor teach?', courses, ['Monday', 'Wednesday']],
    ['Which teacher gives Italian?', courses, ['Tuesday']],
    ['Does Oak have a projector?', rooms, ['Oak']],
    ['When does Moreno teach a course?', courses, []],
    ['Which course is on Monday?', courses, []],
  ])('finds the rows with it: %s', (question, table, names) => {
    const found = find(question, table);
    const name = (text: string) => /^(?:HTTP: )?([^ ;,]+)/.exec(text)?.[1];
    expect(Array.isArray(found) && found.map(name)).toEqual(names);
  });
});

describe('a number with a unit of the table', () => {
  const meals = `Absence | Allowance\nless than 5 hours | none\n5 to 10 hours | £10\nmore than 10 hours | £20`;
  test.each([
    ['I am out for 7 hours, how much food money do I get?', ['5 to 10 hours — Allowance: £10']],
    ['I am out with 7 colleagues, how much food money do I get?', []],
  ])('finds the row although no title is named: %s', (question, rows) => {
    expect(find(question, meals)).toEqual(rows);
  });
});

describe('a question for the least or the greatest value', () => {
  test.each([
    ['What is the most expensive room?', ['Beech']],
    ['Which is the cheapest room?', ['Pine', 'Maple']],
    ['Which room has the most seats?', ['Beech']],
    ['Which room has the fewest seats?', ['Pine']],
  ])('gets the rows with it: %s', (question, names) => {
    const found = find(question, rooms);
    expect(Array.isArray(found) && found.map((text) => text.split(' — ')[0])).toEqual(names);
  });

  test('is undecided if the table may continue in another passage', () => {
    const long = Array.from({ length: 30 }, (_, n) => `Room ${n} | ${n} | no | ${n + 10} euros`);
    const table = ['Room | Seats | Projector | Price per hour', ...long].join('\n');
    expect(find('Which is the cheapest room?', table, '')).toBe('undecided');
    expect(find('Which is the cheapest room?', table)).toHaveLength(1);
  });

  test('is not assumed if the values have several units', () => {
    const mixed = rooms.replace('25 euros', '25 dollars');
    expect(find('Which is the cheapest room?', mixed)).toEqual([]);
  });
});
