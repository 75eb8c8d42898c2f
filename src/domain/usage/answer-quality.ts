import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { type DayRange, resolveDayRange } from './day-range.ts';
import { lowConfidenceThreshold } from './low-confidence.ts';
import { requireUsageScope, type UsageScope } from './usage-scope.ts';
import { daySql, latencyBucketBase, latencyStepSql } from './usage-sql.ts';

/** Number, confidence and latency of completed answers that were written from the documents. */
export interface AnswerFigures {
  readonly answers: number;
  /** Number of answers with low confidence. Their questions count as unanswered. */
  readonly unsure: number;
  /** Median time from the question to the complete answer, with an accuracy of 5 %. Null if there are no answers. */
  readonly latencyP50Ms: number | null;
  /** 95th percentile of the time from the question to the complete answer. Null if there are no answers. */
  readonly latencyP95Ms: number | null;
}

export interface AnswerQuality extends AnswerFigures {
  /** One entry per day (UTC), oldest first. Includes days without answers. */
  readonly days: readonly (AnswerFigures & { readonly day: Date })[];
}

/**
 * Returns the answer quality of an organization, or of one of its projects, in a range of days: in total and per day.
 * Does not count failed or stopped answers and small talk. Deleted answers count for the organization only.
 * @throws DomainError from `requireUsageScope` and `resolveDayRange`
 */
export async function getAnswerQuality(
  context: Context,
  input: DayRange & UsageScope,
): Promise<AnswerQuality> {
  const { id, projectId } = await requireUsageScope(context, input);
  const { first, last } = resolveDayRange(input);
  const rows =
    projectId === null
      ? await runSql<DayRow>(context.db, findDays, [id, first, last])
      : await runSql<DayRow>(context.db, findProjectDays, [projectId, first, last]);
  const days = rows.map(({ day, counts }) => ({ day, counts: counts.map(latencyBucketOf) }));
  return {
    ...computeFigures(days.flatMap(({ counts }) => counts)),
    days: days.map(({ day, counts }) => ({
      day: new Date(`${day}T00:00:00.000Z`),
      ...computeFigures(counts),
    })),
  };
}

/**
 * Returns one row per day. A day has only a few latency buckets, because their number grows with the logarithm of the
 * longest latency.
 */
const findDays = daysOf(`
    select day, latency_step, answers, unsure from grounded.answer_days
    where organization_id = $1::uuid and day between $2::date and $3::date`);

/** Repeats the condition of the index `messages_answers`, so that Postgres can use the index. */
const findProjectDays = daysOf(`
    select ${daySql('created_at')} as day, ${latencyStepSql('latency_ms')} as latency_step, count(*)::integer as answers,
      (count(*) filter (where confidence < ${lowConfidenceThreshold}))::integer as unsure
    from grounded.messages
    where project_id = $1::uuid and role = 'ASSISTANT' and status = 'COMPLETED' and intent is null
      and created_at >= $2::date::timestamp at time zone 'UTC'
      and created_at < ($3::date + 1)::timestamp at time zone 'UTC'
    group by 1, 2`);

function daysOf(buckets: string): string {
  return `
  select to_char(calendar.day, 'YYYY-MM-DD') as day, coalesce(bucket.counts, '[]') as counts
  from generate_series($2::date, $3::date, interval '1 day') as calendar (day)
  left join (
    select day, jsonb_agg(jsonb_build_array(latency_step, answers, unsure)) as counts
    from (${buckets}) counted
    group by day
  ) bucket on bucket.day = calendar.day
  order by calendar.day`;
}

/** Number of answers with a latency of about 1.1^`step` milliseconds. */
interface LatencyBucket {
  readonly step: number;
  readonly answers: number;
  readonly unsure: number;
}

interface DayRow {
  /** For example `2026-11-21`. */
  readonly day: string;
  readonly counts: readonly LatencyCounts[];
}

/** Latency step, number of answers, and number of unsure answers. */
type LatencyCounts = readonly [number, number, number];

function latencyBucketOf([step, answers, unsure]: LatencyCounts): LatencyBucket {
  return { step, answers, unsure };
}

function computeFigures(counts: readonly LatencyBucket[]): AnswerFigures {
  const byLatency = counts.toSorted((a, b) => a.step - b.step);
  const answers = byLatency.reduce((sum, count) => sum + count.answers, 0);
  const unsure = byLatency.reduce((sum, count) => sum + count.unsure, 0);
  const latencyPercentile = (share: number) => {
    let left = Math.ceil(share * answers);
    const reached = byLatency.find((count) => {
      left -= count.answers;
      return left <= 0;
    });
    return reached === undefined ? null : Math.round(latencyBucketBase ** reached.step);
  };
  return {
    answers,
    unsure,
    latencyP50Ms: latencyPercentile(0.5),
    latencyP95Ms: latencyPercentile(0.95),
  };
}
