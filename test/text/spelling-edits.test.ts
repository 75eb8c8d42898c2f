import { expect, test } from 'vitest';
import {
  doubledSpellings,
  spellingDistance,
  spellingEdits,
} from '../../src/text/spelling-edits.ts';

test('the spellings at distance 1 contain every deletion, swap and insertion, and likely replacements', () => {
  const edits = spellingEdits('suana');
  for (const word of ['sauna', 'sana', 'suan', 'suanab', 'suuana', 'xsuana', 'suena', 'duana']) {
    expect(edits).toContain(word);
  }
  expect(edits).not.toContain('suana');
  expect(edits).not.toContain('buana');
  expect(edits.size).toBeLessThanOrEqual(40 * 5 + 25);
  for (const word of edits) expect(spellingDistance('suana', word, 3)).toBe(1);
});

test.each([
  ['tent', 'tent', 0],
  ['warrenty', 'warranty', 1],
  ['exchnage', 'exchange', 1],
  ['parentel', 'parental', 1],
  ['membrship', 'membership', 1],
  ['membreshp', 'membership', 2],
  ['tent', 'tents', 1],
  ['stove', 'tents', 3],
])('the distance of %s and %s is %i, or the limit plus 1', (left, right, distance) => {
  expect(spellingDistance(left, right, 2)).toBe(distance);
  expect(spellingDistance(right, left, 2)).toBe(distance);
});

test('two doubled letters', () => {
  expect(doubledSpellings('adres')).toContain('address');
  expect(doubledSpellings('ocurence')).toContain('occurrence');
  expect(doubledSpellings('abc')).toEqual(['aabbc', 'aabcc', 'abbcc']);
});
