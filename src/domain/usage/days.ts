import { DomainError } from '../errors.ts';

/** From the day of one moment to that of another, UTC: the last 30 days where neither is given. */
export interface DayRange {
  readonly from?: Date | null;
  readonly to?: Date | null;
}

const dayMs = 24 * 60 * 60 * 1000;
const maxDays = 366;
const defaultDays = 30;

/** The first and the last day as `YYYY-MM-DD`. Throws `VALIDATION_FAILED` for more than 366 days. */
export function daysOf({ from, to }: DayRange): { readonly first: string; readonly last: string } {
  const last = startOf(to ?? new Date());
  const first = startOf(from ?? new Date(last - (defaultDays - 1) * dayMs));
  if (last - first >= maxDays * dayMs) {
    throw new DomainError('VALIDATION_FAILED', [`to must be within ${maxDays} days of from`]);
  }
  return { first: nameOf(first), last: nameOf(last) };
}

/** The first moment of the day, in milliseconds. */
function startOf(moment: Date): number {
  return Math.floor(moment.getTime() / dayMs) * dayMs;
}

function nameOf(dayStart: number): string {
  return new Date(dayStart).toISOString().slice(0, 10);
}
