export const days = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
] as const;
export type Day = (typeof days)[number];

/** By the local clock, `HH:MM`; `to` may be `24:00`. */
export interface Opening {
  readonly day: Day;
  readonly from: string;
  readonly to: string;
}

export interface BusinessHours {
  readonly timeZone: string;
  readonly weekly: Opening[];
}

export const dayName = (day: Day) => day.charAt(0) + day.slice(1).toLowerCase();

/** Monday to Friday, where the operator is. */
export function workingWeek(): BusinessHours {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const weekly = days.slice(0, 5).map((day) => ({ day, from: '09:00', to: '17:00' }));
  return { timeZone, weekly };
}

/** As the service takes them: what it gives holds the names of their types as well. */
export function givenHours({ timeZone, weekly }: BusinessHours): BusinessHours {
  return { timeZone, weekly: weekly.map(({ day, from, to }) => ({ day, from, to })) };
}

/** The hours of a day that are added to it: from an hour after the last, as far as the day has room. */
export function moreHours(day: Day, weekly: readonly Opening[]): Opening {
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

/** What is wrong with hours, or null. */
export function hoursProblem(hours: BusinessHours | null): string | null {
  const wrong = hours?.weekly.find(({ from, to }) => from === '' || to === '' || from >= to);
  if (wrong !== undefined) {
    return `${dayName(wrong.day)}: the end must be later than the beginning. Hours across midnight are two, of which one ends at 00:00.`;
  }
  const crossing = hours?.weekly.find((one) =>
    hours.weekly.some(
      (other) =>
        other !== one && other.day === one.day && other.from <= one.from && one.from < other.to,
    ),
  );
  return crossing === undefined ? null : `${dayName(crossing.day)}: two of the hours overlap.`;
}
