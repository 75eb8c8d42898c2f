import { toIsoTime } from '../../platform/iso-time.ts';
import { boundsOfDays } from '../usage/day-range.ts';
import type { Analytics } from './analytics.ts';

/** The range of days of the analytics, without the range before. Its project is one that the caller may read. */
export type Period = Pick<Analytics, 'project' | 'first' | 'last'>;

/** Returns the parameters $1 to $3 of a statement: project, start of the range, and its end, exclusive. */
export function valuesOf(period: Period): [projectId: string, start: string, end: string] {
  const [start, end] = boundsOfDays(period);
  return [period.project.id, toIsoTime(start), toIsoTime(end)];
}

/** Maximum number of agents, labels or topics with a row of their own. */
export const maxRows = 50;
