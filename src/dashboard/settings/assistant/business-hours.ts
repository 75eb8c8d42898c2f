export const weekdays = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
] as const;
export type Weekday = (typeof weekdays)[number];

/** A period on one weekday. `from` and `to` are local times in the form `HH:MM`. `to` may be `24:00`. */
export interface OpeningHours {
  readonly day: Weekday;
  readonly from: string;
  readonly to: string;
}

export interface BusinessHours {
  readonly timeZone: string;
  readonly weekly: OpeningHours[];
}

export const dayName = (day: Weekday) => day.charAt(0) + day.slice(1).toLowerCase();

/** Returns Monday to Friday, 9 to 17, in the operator's time zone. */
export function defaultBusinessHours(): BusinessHours {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const weekly = weekdays.slice(0, 5).map((day) => ({ day, from: '09:00', to: '17:00' }));
  return { timeZone, weekly };
}

/** Removes `__typename`, which query results contain and the mutation does not accept. */
export function toBusinessHoursInput({ timeZone, weekly }: BusinessHours): BusinessHours {
  return { timeZone, weekly: weekly.map(({ day, from, to }) => ({ day, from, to })) };
}

/**
 * Returns default hours for an additional period on a day. The period lasts three hours and starts one hour after the
 * last period of that day.
 */
export function nextOpeningHours(day: Weekday, weekly: readonly OpeningHours[]): OpeningHours {
  const last = weekly.findLast((opening) => opening.day === day);
  if (last === undefined) return { day, from: '09:00', to: '17:00' };
  const hour = Number(last.to.slice(0, 2)) + 1;
  return hour >= 23
    ? { day, from: '23:00', to: '24:00' }
    : {
        day,
        from: `${String(hour).padStart(2, '0')}:00`,
        to: `${String(Math.min(24, hour + 3)).padStart(2, '0')}:00`,
      };
}

/** Returns an error message for invalid business hours, or null. */
export function validateBusinessHours(hours: BusinessHours | null): string | null {
  const invalid = hours?.weekly.find(({ from, to }) => from === '' || to === '' || from >= to);
  if (invalid !== undefined) {
    return `${dayName(invalid.day)}: the end must be later than the start. Split hours across midnight into two entries, the first until 00:00.`;
  }
  const overlapping = hours?.weekly.find((opening) =>
    hours.weekly.some(
      (other) =>
        other !== opening &&
        other.day === opening.day &&
        other.from <= opening.from &&
        opening.from < other.to,
    ),
  );
  return overlapping === undefined ? null : `${dayName(overlapping.day)}: two entries overlap.`;
}
