import { expect, test } from 'vitest';
import {
  findFailedBounds,
  isBeyondBound,
  listBounds,
} from '../../../src/domain/evaluation/figure-bounds.ts';
import { computeFigures, figureNames } from '../../../src/domain/evaluation/figures.ts';
import {
  followingRunAt,
  scheduleColumns,
  scheduleOf,
} from '../../../src/domain/evaluation/set-schedule.ts';

const figures = { ...computeFigures([]), recallAt5: 0.9, refusedWrongly: 0.1, latencyP95Ms: 800 };

test('a share fails below its bound, an error or a cost above', () => {
  expect(
    findFailedBounds({ latencyP95Ms: 500, refusedWrongly: 0.05, recallAt5: 0.95 }, figures),
  ).toEqual([
    { figure: 'recallAt5', bound: 0.95, value: 0.9 },
    { figure: 'refusedWrongly', bound: 0.05, value: 0.1 },
    { figure: 'latencyP95Ms', bound: 500, value: 800 },
  ]);
});

test('a figure that equals its bound, has no bound or no value fails none', () => {
  for (const figure of figureNames) expect(isBeyondBound({ figure, bound: 0.5 }, 0.5)).toBe(false);
  const bounds = { recallAt5: 0.9, refusedWrongly: 0.1, latencyP95Ms: null, mrr: 1, tokens: 0 };
  expect(findFailedBounds(bounds, figures)).toEqual([]);
  expect(listBounds({ mrr: null })).toEqual([]);
});

const now = new Date('2026-11-28T10:00:00.000Z');
const at = (time: string) => new Date(`2026-11-${time}:00.000Z`);

test('a new schedule starts after its interval, and keeps its time if only the bounds change', () => {
  const daily = scheduleColumns({ everyHours: 24, bounds: { mrr: 0.5, auroc: null } }, null, now);
  expect(daily).toEqual({ everyHours: 24, bounds: { mrr: 0.5 }, nextRunAt: at('29T10:00') });
  const later = at('28T12:00');
  expect(scheduleColumns({ everyHours: 24 }, daily, later)).toEqual({
    ...{ everyHours: 24, bounds: {}, nextRunAt: daily.nextRunAt },
  });
  expect(scheduleColumns({ everyHours: 1 }, daily, later).nextRunAt).toEqual(at('28T13:00'));
  const none = scheduleColumns(null, daily, later);
  expect(scheduleOf(none)).toBeNull();
  expect(scheduleColumns({ everyHours: 24 }, none, later).nextRunAt).toEqual(at('29T12:00'));
});

test('the next run keeps its time of day, also after a late start or days without a service', () => {
  const daily = { everyHours: 24, nextRunAt: at('28T03:00') };
  expect(followingRunAt(daily, at('28T03:00'))).toEqual(at('29T03:00'));
  expect(followingRunAt(daily, at('28T03:07'))).toEqual(at('29T03:00'));
  expect(followingRunAt({ ...daily, nextRunAt: at('20T03:00') }, now)).toEqual(at('29T03:00'));
});
