import { type BusinessHours, weekdays } from '../organizations/business-hours.ts';

/** Limits the number of days to check if the business hours are only a few minutes a week. */
const maxDays = 366;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Returns the time at which the team will have been available for `minutes` since `from`. Returns null if that takes
 * more than a year. Overlapping opening hours count once. If daylight saving time skips an hour, that hour does not
 * count. If it repeats an hour, the hour counts twice.
 */
export function addOpenMinutes(
  { timeZone, weekly }: BusinessHours,
  from: Date,
  minutes: number,
): Date | null {
  const toLocal = localClockOf(timeZone);
  const byTime = weekly.toSorted((a, b) => a.from.localeCompare(b.from));
  const firstDay = Math.floor(toLocal(from.getTime()) / dayMs) * dayMs;
  let countedUntil = from.getTime();
  let leftMs = minutes * 60_000;
  for (let date = firstDay; date < firstDay + maxDays * dayMs; date += dayMs) {
    for (const opening of byTime.filter(({ day }) => day === weekdayOf(date))) {
      const opensAt = Math.max(
        toInstant(date + millisecondsOf(opening.from), toLocal),
        countedUntil,
      );
      const closesAt = toInstant(date + millisecondsOf(opening.to), toLocal);
      if (closesAt <= opensAt) continue;
      if (closesAt - opensAt >= leftMs) return new Date(opensAt + leftMs);
      leftMs -= closesAt - opensAt;
      countedUntil = closesAt;
    }
  }
  return null;
}

/**
 * Converts an instant to local time. The result is the timestamp in milliseconds that has the same date and time in
 * UTC.
 */
type LocalClock = (instant: number) => number;

function localClockOf(timeZone: string): LocalClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  });
  return (instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
    const local = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return local + (instant % 1_000);
  };
}

/**
 * Corrects the offset once, because the first estimate may be on the other side of a change to or from daylight saving
 * time.
 */
function toInstant(local: number, toLocal: LocalClock): number {
  const guess = local - (toLocal(local) - local);
  return local - (toLocal(guess) - guess);
}

function weekdayOf(date: number) {
  // getUTCDay counts from Sunday.
  return weekdays[(new Date(date).getUTCDay() + 6) % 7];
}

/** Returns the milliseconds from midnight to a time in the format `HH:MM`. */
function millisecondsOf(time: string): number {
  const [hours, minutes] = time.split(':');
  return (Number(hours) * 60 + Number(minutes)) * 60_000;
}
