import { describe, expect, it } from 'vitest';
import { isDayMissing } from '../../../src/models/extractive/asked-periods.ts';

describe('isDayMissing', () => {
  const texts = ['Report of Q3 2023. Three Months Ended July 1, 2023', 'Total: 81,797'];
  it.each([
    ['Sales in the quarter ended July 1, 2023?', false],
    ['Sales in the quarter ended September 30, 2023?', true],
    ['Sales in the third quarter of 2023?', false],
    ['Sales in September 2023?', false],
  ])('%s', (question, expected) => {
    expect(isDayMissing(question, texts)).toBe(expected);
  });
});
