import { describe, expect, it } from 'vitest';
import { readFlags, UsageError } from './flags.ts';

const defaults = { rounds: 7, stalled: 20, url: '', write: false };
const read = (...args: string[]) => readFlags(defaults, { args, mayBeZero: ['stalled'] });

describe('flags of a benchmark', () => {
  it('have their defaults and the types of these', () => {
    expect(read()).toEqual(defaults);
    expect(read('--rounds', '3', '--stalled', '0', '--url', 'postgresql://h/d', '--write')).toEqual(
      {
        ...{ rounds: 3, stalled: 0 },
        ...{ url: 'postgresql://h/d', write: true },
      },
    );
  });

  it.each(['x', '', '0', '-1', '1.5', '1e3', ' 2', '99999999999999999999'])(
    'refuse %j as a number',
    (value) => {
      const message = `--rounds must be a whole number of at least 1, not "${value}".`;
      expect(() => read(`--rounds=${value}`)).toThrow(new UsageError(message));
    },
  );

  it.each([
    [['--round', '1'], "Unknown option '--round'. Flags: --rounds, --stalled, --url, --write."],
    [['--rounds'], "Option '--rounds <value>' argument missing. Flags: "],
    [['growth'], "Unexpected argument 'growth'. "],
  ])('refuse %j and name the known ones', (args, message) => {
    expect(() => read(...args)).toThrow(UsageError);
    expect(() => read(...args)).toThrow(message);
  });
});
