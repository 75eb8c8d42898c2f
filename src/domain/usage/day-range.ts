import { DomainError } from '../../platform/errors.ts';

/** From the day of `from` to the day of `to`, both inclusive and in UTC. Default: the last 30 days. */
export interface DayRange {
  readonly from?: Date | null;
  readonly to?: Date | null;
}

/** Length of a day in UTC, in milliseconds. */
export const dayMs = 24 * 60 * 60 * 1000;
const defaultDays = 30;

/**
 * Returns the first and last day as `YYYY-MM-DD`.
 * @throws DomainError VALIDATION_FAILED when the range has more than `maxDays` days
 */
export function resolveDayRange(
  { from, to }: DayRange,
  maxDays = 366,
): {
  readonly first: string;
  readonly last: string;
} {
  const last = startOfDay(to ?? new Date());
  const first = startOfDay(from ?? new Date(last - (defaultDays - 1) * dayMs));
  if (last - first >= maxDays * dayMs) {
    throw new DomainError('VALIDATION_FAILED', [`to must be within ${maxDays} days of from`]);
  }
  return { first: formatDay(first), last: formatDay(last) };
}

/**
 * Returns the start of the first day and the end of the last day, exclusive, in milliseconds since the epoch. `first` and
 * `last` are days as `resolveDayRange` returns them.
 */
export function boundsOfDays({
  first,
  last,
}: {
  readonly first: string;
  readonly last: string;
}): [start: number, end: number] {
  return [Date.parse(first), Date.parse(last) + dayMs];
}

/** Returns the start of the day (UTC) in milliseconds since the epoch. */
function startOfDay(moment: Date): number {
  return Math.floor(moment.getTime() / dayMs) * dayMs;
}

function formatDay(dayStart: number): string {
  return new Date(dayStart).toISOString().slice(0, 10);
}
