import { describe, expect, test } from 'vitest';
import { isOutOfHours, type TeamHours } from '../../src/widget/team-hours.ts';

const hours: TeamHours = {
  businessHours: {
    timeZone: 'Europe/Berlin',
    weekly: [
      { day: 'MONDAY', from: '09:00', to: '12:00' },
      { day: 'MONDAY', from: '13:00', to: '24:00' },
    ],
  },
  outOfHoursText: null,
};

describe('the team is out of hours', () => {
  test.each([
    ['2026-06-01T06:59:59Z', true],
    ['2026-06-01T07:00:00Z', false],
    ['2026-06-01T10:00:00Z', true],
    ['2026-06-01T21:59:00Z', false],
    ['2026-06-01T22:00:00Z', true],
    ['2026-12-07T07:59:00Z', true],
    ['2026-12-07T08:00:00Z', false],
  ])('at %s: %s, by the local time of the team', (time, isOut) => {
    expect(isOutOfHours(hours, new Date(time))).toBe(isOut);
  });

  test('never without business hours, before they are loaded, or in a time zone that the browser does not know', () => {
    const now = new Date();
    expect(isOutOfHours(null, now)).toBe(false);
    expect(isOutOfHours({ businessHours: null, outOfHoursText: 'Later' }, now)).toBe(false);
    const unknown = { timeZone: 'Mars/Olympus', weekly: [] };
    expect(isOutOfHours({ businessHours: unknown, outOfHoursText: null }, now)).toBe(false);
  });
});
