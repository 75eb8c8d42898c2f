import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { storedBusinessHours } from '../organizations/business-hours.ts';
import { during, isCountedAnswer, isNoTest, isRefused } from './analytics-sql.ts';
import { type Period, valuesOf } from './period.ts';

/** Answers of all days of a period that were created in one hour of the day. */
export interface HourFigures {
  /** 0 to 23, local time. */
  readonly hour: number;
  readonly answers: number;
  /** Number of answers without a source. */
  readonly refused: number;
}

export interface HoursOfDay {
  /** The time zone of the project's business hours. UTC if the project has none. */
  readonly timeZone: string;
  /** 24 hours, from 0. */
  readonly hours: readonly HourFigures[];
}

/** Returns the answers of a period by hour of the day. */
export async function getHoursOfDay({ db }: Context, period: Period): Promise<HoursOfDay> {
  const timeZone = storedBusinessHours(period.project)?.timeZone ?? 'UTC';
  const rows = await runSql<QuarterHour>(db, selectQuarterHours, valuesOf(period));
  const hours = Array.from({ length: 24 }, (_, hour) => ({ hour, answers: 0, refused: 0 }));
  const format = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone });
  for (const { quarter, answers, refused } of rows) {
    const hour = hours[Number(format.format(quarter * quarterMs))];
    if (hour === undefined) throw new Error('An hour of the day is not a number from 0 to 23');
    hour.answers += answers;
    hour.refused += refused;
  }
  return { timeZone, hours };
}

const quarterMs = 15 * 60_000;

interface QuarterHour extends Omit<HourFigures, 'hour'> {
  /** Quarters of an hour since 1970. */
  readonly quarter: number;
}

/**
 * At most 96 rows per day. This process converts them to local time, because Postgres may lack names of time zones that
 * JavaScript knows. The offset of each time zone is a multiple of a quarter of an hour.
 */
const selectQuarterHours = `
  select floor(extract(epoch from message.created_at) / 900)::integer as quarter, count(*)::integer as answers,
    (count(*) filter (where ${isRefused('message')}))::integer as refused
  from grounded.messages message
  where ${isCountedAnswer('message')}
    and ${during('message.created_at')} and ${isNoTest('message.conversation_id')}
  group by quarter`;
