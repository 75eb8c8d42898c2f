import { describe, expect, it } from 'vitest';
import { isAboutOtherPeriods, isDayMissing } from '../../../src/models/extractive/asked-periods.ts';

describe('isAboutOtherPeriods', () => {
  const quarter = 'What was revenue in the quarter ended July 30, 2023?';
  it.each([
    [quarter, 'Revenue — Three Months Ended October 29, 2023: $18,120', true],
    [quarter, 'Revenue — July 30, 2023: $13,507, July 31, 2022: $6,704', false],
    [quarter, 'Revenue was $13.51 billion in July 2023.', false],
    [quarter, 'Revenue for the second quarter of 2024 was $13.51 billion.', false],
    [quarter, 'Revenue; $13,507; $6,704', false],
    [
      'What was revenue in Q2 2023?',
      'Revenue for the third quarter of 2023 was $18 billion.',
      true,
    ],
    ['What was revenue in 2023?', 'Revenue for the third quarter of 2022 was $5 billion.', false],
  ])('%s %s', (question, text, expected) => {
    expect(isAboutOtherPeriods(question)(text)).toBe(expected);
  });
});

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
