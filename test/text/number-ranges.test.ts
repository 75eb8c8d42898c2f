import { expect, test } from 'vitest';
import {
  askedNumbers,
  measuresIn,
  numbersIn,
  parseRange,
  rangeOfCell,
} from '../../src/text/number-ranges.ts';

test.each([
  ['700–749', 720, 750],
  ['2 to 10 kg', 10, 11],
  ['between 3 and 5 years', 4, 6],
  ['von 2 bis 3', 3, 4],
  ['€1,000 - €2,500', 1_500, 2_501],
  ['up to 20 kg', 20, 21],
  ['bis zu 4 Personen', 4, 5],
  ['below 650', 649, 650],
  ['unter 18', 17, 18],
  ['65+', 65, 64],
  ['13 and older', 13, 12],
  ['800 and above', 1_000, 799],
  ['ab 6', 6, 5],
  ['at least 1.5 m', 1.5, 1.4],
  ['more than 30 days', 31, 30],
  ['1,5 bis 2,5 m', 2, 3],
  ['longer than 9 m', 9.1, 9],
  ['kürzer als 9 m', 8.9, 9],
])('the range %s contains %d, but not %d', (text, inside, outside) => {
  const range = parseRange(text);
  expect(range).not.toBeNull();
  if (range === null) return;
  expect(inside >= range.from && inside <= range.to).toBe(true);
  expect(outside >= range.from && outside <= range.to).toBe(false);
});

test.each([
  '',
  '12 euros',
  '12:30–14:00',
  'Room 3',
  '2026-11-29',
  '7 to 3',
  'Bring 2 to 3 towels, please, and a cap',
])('%j is no range', (text) => {
  expect(parseRange(text)).toBeNull();
});

test('numbers of dates, times and codes are no numbers', () => {
  expect(
    numbersIn('On 2026-11-29 at 12:30, 3 guests of K-47 paid 1,250.50 and 7,5 for 10 000 points'),
  ).toEqual([3, 1250.5, 7.5, 10_000]);
});

test.each([
  ['the fee for boats longer than 9 m', 'longer than 9 m', 'up to 9 m'],
  ['the fee for boats of 9 m', 'up to 9 m', 'longer than 9 m'],
  ['Beiträge für Kinder unter 14', 'unter 14', 'ab 14'],
])('the number of %j is in %j, and not in %j', (question, inside, outside) => {
  const isIn = (text: string) => {
    const range = parseRange(text);
    return askedNumbers(question).some(
      (number) => range !== null && number >= range.from && number <= range.to,
    );
  };
  expect([isIn(inside), isIn(outside)]).toEqual([true, false]);
});

test.each([
  ['Max weight', '5 kg', 4, 6],
  ['Gewicht bis', '2 kg', 2, 3],
  ['Minimum age', '16', 17, 15],
  ['Vehicle', 'Van up to 8 m, with driver', 7, 9],
  ['Age', '4 to 15 years', 7, 16],
])('below the title %s, %s contains %d, but not %d', (title, value, inside, outside) => {
  const range = rangeOfCell(title, value);
  expect(range).not.toBeNull();
  if (range === null) return;
  expect(inside >= range.from && inside <= range.to).toBe(true);
  expect(outside >= range.from && outside <= range.to).toBe(false);
});

test('a number below another title is no range', () => {
  expect(rangeOfCell('Price', '5 kg')).toBeNull();
  expect(rangeOfCell('Frequency', '5 kg')).toBeNull();
  expect(rangeOfCell('Duration (min)', '30')).toBeNull();
});

test('the units of length, weight and volume have one spelling', () => {
  expect(measuresIn('a 4 kilo box and a 7 metre van, 3 days')).toEqual(['kg', 'm']);
  expect(measuresIn('250 g')).toEqual(['g']);
});
