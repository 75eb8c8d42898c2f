import type { Project } from '../organizations/require-project.ts';

export const weekdays = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
] as const;

type Weekday = (typeof weekdays)[number];

/** When a team is there. Aliases, because only those count as JSON objects. */
export type BusinessHours = {
  /** An IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string;
  /** Any number of spans on a day; on a day without one nobody is there. */
  readonly weekly: readonly OpeningHours[];
};

/** Local times as `HH:MM`: `from` is within, `to` is not and may be `24:00`. */
export type OpeningHours = {
  readonly day: Weekday;
  readonly from: string;
  readonly to: string;
};

/** Whether the team is there, by the clock on its wall: summer time shifts the hours with it. */
export function isOpenAt({ timeZone, weekly }: BusinessHours, moment: Date): boolean {
  const now = wallClock(timeZone, moment);
  return weekly.some(({ day, from, to }) => day === now.day && from <= now.time && now.time < to);
}

/** Whether a text names a time zone of the IANA database. A bare offset such as `+02:00` does not. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    wallClock(text, new Date(0));
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** A project's hours; null: always. The column is written in this very shape; Prisma only knows that it is JSON. */
export function storedBusinessHours({
  businessHours,
}: Pick<Project, 'businessHours'>): BusinessHours | null {
  return businessHours as BusinessHours | null;
}

function wallClock(
  timeZone: string,
  moment: Date,
): { readonly day: string; readonly time: string } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(moment);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
  return { day: part('weekday').toUpperCase(), time: `${part('hour')}:${part('minute')}` };
}
