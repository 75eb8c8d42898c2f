import { expect, test } from 'vitest';
import { parseExpectedTexts } from '../../src/dashboard/evaluation/sets/expected-texts.ts';

test('expected texts of the form are lines with alternatives', () => {
  expect(parseExpectedTexts(' noon \n\n12 euros | €12 |\n|')).toEqual([
    ['noon'],
    ['12 euros', '€12'],
  ]);
});
