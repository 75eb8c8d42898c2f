import type { Project } from './find-project.ts';

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

/**
 * Weekly business hours of a team. A type alias and not an interface, because interfaces are not assignable to Prisma's
 * JSON type.
 */
export type BusinessHours = {
  /** IANA time zone name, such as `Europe/Berlin`. */
  readonly timeZone: string;
  /** Any number of opening hours per day. On days without opening hours, the team is closed. */
  readonly weekly: readonly OpeningHours[];
};

/** Local times in the format `HH:MM`. `from` is inclusive; `to` is exclusive and may be `24:00`. */
export type OpeningHours = {
  readonly day: Weekday;
  readonly from: string;
  readonly to: string;
};

/** Returns true during business hours. Uses local time, so hours follow daylight saving time. */
export function isOpenAt({ timeZone, weekly }: BusinessHours, time: Date): boolean {
  const now = localTime(timeZone, time);
  return weekly.some(({ day, from, to }) => day === now.day && from <= now.time && now.time < to);
}

/** Returns true for a name in the IANA time zone database. Returns false for an offset such as `+02:00`. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    localTime(text, new Date(0));
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * Returns a project's business hours, or null if the project is always open. The column contains this structure, but
 * Prisma only types it as JSON.
 */
export function storedBusinessHours({
  businessHours,
}: Pick<Project, 'businessHours'>): BusinessHours | null {
  return businessHours as BusinessHours | null;
}

/**
 * Returns the weekday and date in the time zone of the business hours, in English: `Sunday, 29 November 2026
 * (Europe/Berlin)`. Without business hours, the time zone is UTC.
 */
export function todayOf(hours: BusinessHours | null, time: Date): string {
  const timeZone = hours?.timeZone ?? 'UTC';
  const weekday = time.toLocaleDateString('en-GB', { weekday: 'long', timeZone });
  const date = time.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone });
  return `${weekday}, ${date} (${timeZone})`;
}

function localTime(timeZone: string, time: Date): { readonly day: string; readonly time: string } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(time);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
  return { day: part('weekday').toUpperCase(), time: `${part('hour')}:${part('minute')}` };
}
