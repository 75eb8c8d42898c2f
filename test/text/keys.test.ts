import { expect, test } from 'vitest';
import { keysOf, nameSameDay, wholeKey } from '../../src/text/keys.ts';

test.each([
  ['Who owns locker 4-12?', ['4-12']],
  ['locker 4/12 or 4–12', ['4-12', '4-12']],
  ['the ferry at 07.30', ['7-30']],
  ['the ferry at 7:30 am', ['7-30']],
  ['the ferry at 7:30 pm', ['19-30']],
  ['the ferry at 12:15 p.m.', ['12-15']],
  ['version v2.1.10', ['2-1-10']],
  ['on 2026/03/04', ['2026-3-4']],
  ['4 rooms, 12 beds', []],
  ['tax of 7.5%', []],
  ['PA-22-150', []],
])('the keys of "%s"', (text, keys) => {
  expect(keysOf(text)).toEqual(keys);
});

test('a cell is a key only as a whole', () => {
  expect(wholeKey('07:30')).toBe('7-30');
  expect(wholeKey('07:30 to 08:15')).toBeNull();
  expect(wholeKey('Room 4-12')).toBeNull();
});

test.each([
  ['Who is on duty on 4 March 2026?', '2026-03-04', true],
  ['Who is on duty on March 4th?', '04.03.2026', true],
  ['Who is on duty on 4 March 2025?', '2026-03-04', false],
  ['Who is on duty?', '2026-03-04', false],
])('"%s" and "%s" name the same day: %s', (question, text, expected) => {
  expect(nameSameDay(question, text)).toBe(expected);
});
