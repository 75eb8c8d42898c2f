import { describe, expect, it } from 'vitest';
import { UsageError } from './flags.ts';
import { percentile } from './performance/figures.ts';
import { memoryFor, readSizes } from './performance/growth-figures.ts';

describe('sizes of the projects to measure', () => {
  it('are sorted', () => {
    expect(readSizes('500000,5000')).toEqual([5_000, 500_000]);
  });

  it.each(['', '5000,', '0', '5e3', '-1', '5000,5000', '5000 50000', '99999999999999999999'])(
    'refuses %j',
    (text) => {
      expect(() => readSizes(text)).toThrow(UsageError);
    },
  );
});

it.each([
  [50_000, 256],
  [500_000, 1_536],
])('measures %i chunks with room for their index', (chunks, megabytes) => {
  expect(memoryFor(chunks, 384)).toBe(megabytes);
});

it('a percentile is one of the values', () => {
  const values = [40, 10, 30, 20];
  expect(percentile(values, 0.5)).toBe(20);
  expect(percentile(values, 0.95)).toBe(40);
  expect(percentile([], 0.5)).toBeNaN();
});
