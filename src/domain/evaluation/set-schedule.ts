import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { type FigureBounds, listBounds } from './figure-bounds.ts';

export const maxEveryHours = 720;
const hourMs = 3600_000;

export interface SetScheduleInput {
  /** Hours between two runs, 1 to 720. */
  readonly everyHours: number;
  readonly bounds?: FigureBounds | null;
}

/** When the questions of a set are asked, and what the figures must be. */
export interface SetSchedule {
  readonly everyHours: number;
  readonly bounds: FigureBounds;
  readonly nextRunAt: Date;
}

/** Columns of a set with its schedule. */
interface ScheduledRow {
  readonly everyHours: number | null;
  readonly bounds: Prisma.JsonValue;
  readonly nextRunAt: Date | null;
}

/** Returns the schedule of a set. Null: its runs are started by hand only. */
export function scheduleOf({ everyHours, bounds, nextRunAt }: ScheduledRow): SetSchedule | null {
  if (everyHours === null || nextRunAt === null) return null;
  return { everyHours, bounds: storedBounds({ bounds }), nextRunAt };
}

/** Types the JSON column `bounds`. Does not validate: bounds are validated before they are stored. */
export function storedBounds({ bounds }: Pick<ScheduledRow, 'bounds'>): FigureBounds {
  return bounds as FigureBounds;
}

/**
 * Returns the columns of a set with the new schedule, or without one if it is null. If the interval stays the same, so
 * does the time of the next run.
 */
export function scheduleColumns(
  schedule: SetScheduleInput | null,
  current: ScheduledRow | null,
  now = new Date(),
) {
  if (schedule === null) return { everyHours: null, bounds: {}, nextRunAt: null };
  const { everyHours } = schedule;
  const given = listBounds(schedule.bounds ?? {});
  const bounds: FigureBounds = Object.fromEntries(
    given.map(({ figure, bound }) => [figure, bound]),
  );
  const isSameInterval = current?.everyHours === everyHours;
  const nextRunAt =
    (isSameInterval ? current?.nextRunAt : null) ?? new Date(now.getTime() + everyHours * hourMs);
  return { everyHours, bounds, nextRunAt };
}

/**
 * Returns the first scheduled time after `now`. The times stay a multiple of the interval apart, so that a daily run
 * keeps its time of day even if it starts late.
 */
export function followingRunAt(
  { everyHours, nextRunAt }: Pick<SetSchedule, 'everyHours' | 'nextRunAt'>,
  now: Date,
): Date {
  const intervalMs = everyHours * hourMs;
  const missed = Math.floor((now.getTime() - nextRunAt.getTime()) / intervalMs);
  return new Date(nextRunAt.getTime() + (Math.max(0, missed) + 1) * intervalMs);
}
