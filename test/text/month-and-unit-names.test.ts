import { expect, test } from 'vitest';
import { monthNumber } from '../../src/text/periods.ts';
import { durationPattern } from '../../src/text/time-units.ts';
import { fold } from '../../src/text/tokenize.ts';

const european = ['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'pl', 'ru'];
const months = Array.from({ length: 12 }, (_, index) => index + 1);
const units = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'];

test.each(european)('the names of the months are those of `Intl`: %s', (language) => {
  for (const day of [undefined, 'numeric' as const]) {
    const format = new Intl.DateTimeFormat(language, { day, month: 'long', timeZone: 'UTC' });
    const names = months.map((month) => {
      const parts = format.formatToParts(Date.UTC(2023, month - 1, 15));
      return fold(parts.find(({ type }) => type === 'month')?.value ?? '');
    });
    expect(names.map(monthNumber)).toEqual(months);
  }
});

test.each([...european, 'ar', 'hi', 'zh', 'ja'])(
  'the names of the units of time are those of `Intl`: %s',
  (language) => {
    const durations = units.flatMap((unit) => {
      const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
      return [1, 2, 5].map((count) => {
        const name = format.formatToParts(count).find(({ type }) => type === 'unit')?.value ?? '';
        return `${count} ${name.trim()}`;
      });
    });
    const isWhole = (text: string) => durationPattern.exec(text)?.[0] === text;
    expect(durations.filter((duration) => !isWhole(duration))).toEqual([]);
  },
);
