import { toIsoTime } from '../../platform/iso-time.ts';
import type { Analytics } from './analytics.ts';

/** The range of days of the analytics, without the range before. */
export type Period = Pick<Analytics, 'projectId' | 'first' | 'last'>;

const dayMs = 24 * 60 * 60 * 1000;

/** Returns the parameters $2 and $3 of a statement: start of the range, and its end, exclusive. */
export function rangeOf({ first, last }: Period): [string, string] {
  return [toIsoTime(Date.parse(first)), toIsoTime(Date.parse(last) + dayMs)];
}

/** Maximum number of agents or labels with a row of their own. One more row has the figures of all others. */
export const maxRows = 50;
