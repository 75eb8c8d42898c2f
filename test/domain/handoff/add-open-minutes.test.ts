import { describe, expect, test } from 'vitest';
import { addOpenMinutes } from '../../../src/domain/handoff/add-open-minutes.ts';
import { type BusinessHours, weekdays } from '../../../src/domain/organizations/business-hours.ts';

const hoursOf = (
  timeZone: string,
  days: readonly BusinessHours['weekly'][number]['day'][],
  ...spans: readonly (readonly [string, string])[]
): BusinessHours => ({
  timeZone,
  weekly: days.flatMap((day) => spans.map(([from, to]) => ({ day, from, to }))),
});

const workdays = weekdays.slice(0, 5);
const berlin = hoursOf('Europe/Berlin', workdays, ['09:00', '17:00']);

describe('30 minutes of business hours, nine to five in Berlin, are over', () => {
  test.each([
    ['2026-11-20T10:00:00Z', '2026-11-20T10:30:00.000Z', 'while the team is available'],
    ['2026-11-20T10:00:00.123Z', '2026-11-20T10:30:00.123Z', 'to the millisecond'],
    ['2026-11-20T15:45:00Z', '2026-11-23T08:15:00.000Z', 'on Monday for the end of a Friday'],
    ['2026-11-20T15:30:00Z', '2026-11-20T16:00:00.000Z', 'at five, and not on Monday'],
    ['2026-11-21T10:00:00Z', '2026-11-23T08:30:00.000Z', 'on Monday for a Saturday'],
    ['2026-11-23T05:00:00Z', '2026-11-23T08:30:00.000Z', 'after nine for an early morning'],
    ['2026-03-27T15:50:00Z', '2026-03-30T07:20:00.000Z', 'an hour earlier after summer time began'],
    ['2026-10-23T14:50:00Z', '2026-10-26T08:20:00.000Z', 'an hour later after summer time ended'],
  ])('%s: %s (%s)', (from, due) => {
    expect(addOpenMinutes(berlin, new Date(from), 30)?.toISOString()).toBe(due);
  });
});

test('breaks do not count, and overlapping hours count once', () => {
  const from = new Date('2026-11-20T08:00:00Z');
  const withBreak = hoursOf('UTC', ['FRIDAY'], ['13:00', '17:00'], ['09:00', '12:00']);
  expect(addOpenMinutes(withBreak, from, 240)?.toISOString()).toBe('2026-11-20T14:00:00.000Z');
  const overlapping = hoursOf(
    'UTC',
    ['FRIDAY'],
    ['09:00', '12:00'],
    ['10:00', '11:00'],
    ['11:00', '13:00'],
  );
  expect(addOpenMinutes(overlapping, from, 240)?.toISOString()).toBe('2026-11-20T13:00:00.000Z');
});

test('hours until midnight continue on the next day', () => {
  const nights = hoursOf('America/New_York', weekdays, ['22:00', '24:00'], ['00:00', '06:00']);
  const from = new Date('2026-11-21T04:00:00Z');
  expect(addOpenMinutes(nights, from, 120)?.toISOString()).toBe('2026-11-21T06:00:00.000Z');
});

test('a night with a repeated hour has seven hours, and one with a skipped hour has five', () => {
  const nights = hoursOf('Europe/Berlin', weekdays, ['00:00', '06:00']);
  const hoursUntil = (from: string, openHours: number) => {
    const start = new Date(from);
    const end = addOpenMinutes(nights, start, openHours * 60)?.getTime() ?? 0;
    return (end - start.getTime()) / 3_600_000;
  };
  expect(hoursUntil('2026-10-24T22:00:00Z', 7)).toBe(7);
  expect(hoursUntil('2026-11-19T23:00:00Z', 7)).toBe(25);
  expect(hoursUntil('2026-03-28T23:00:00Z', 5)).toBe(5);
  expect(hoursUntil('2026-03-28T23:00:00Z', 6)).toBe(24);
});

test('there is no due time without business hours, or with too few in a year', () => {
  const from = new Date('2026-11-20T10:00:00Z');
  expect(addOpenMinutes({ timeZone: 'UTC', weekly: [] }, from, 1)).toBeNull();
  const rare = hoursOf('Asia/Kolkata', ['MONDAY'], ['09:00', '09:01']);
  expect(addOpenMinutes(rare, from, 43_200)).toBeNull();
});
