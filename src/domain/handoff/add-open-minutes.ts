import { type BusinessHours, weekdays } from '../organizations/business-hours.ts';

/** Bounds the work for business hours of a few minutes a week. */
const maxDays = 366;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Returns the time at which the team has been available for `minutes` since `from`, or null if that takes more than a
 * year. Overlapping opening hours count once. Hours that daylight saving time skips or repeats count as they pass.
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

/** Converts an instant to local time, as the milliseconds at which UTC shows the same date and time. */
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

/** Corrects the offset once, because the first guess may be on the other side of a change to daylight saving time. */
function toInstant(local: number, toLocal: LocalClock): number {
  const guess = local - (toLocal(local) - local);
  return local - (toLocal(guess) - guess);
}

function weekdayOf(date: number) {
  // getUTCDay counts from Sunday.
  return weekdays[(new Date(date).getUTCDay() + 6) % 7];
}

/** `HH:MM` since midnight. */
function millisecondsOf(time: string): number {
  const [hours, minutes] = time.split(':');
  return (Number(hours) * 60 + Number(minutes)) * 60_000;
}
