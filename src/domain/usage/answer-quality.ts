import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { type DayRange, resolveDayRange } from './day-range.ts';
import { latencyBucketBase } from './usage-sql.ts';

/** Number, confidence and latency of completed answers from the documents. */
export interface AnswerFigures {
  readonly answers: number;
  /** Number of answers with low confidence. Their questions count as unanswered. */
  readonly unsure: number;
  /** Median time from the question to the complete answer, accurate to 5 %. Null if there are no answers. */
  readonly latencyP50Ms: number | null;
  /** 95th percentile of the same time. */
  readonly latencyP95Ms: number | null;
}

export interface AnswerQuality extends AnswerFigures {
  /** One entry per day, UTC, oldest first, including days without answers. */
  readonly days: readonly (AnswerFigures & { readonly day: Date })[];
}

/**
 * Returns the answer quality of an organization in a range of days, in total and per day. Failed and stopped answers
 * and small talk are not counted.
 * @throws DomainError from `requireOrganization` and `resolveDayRange`
 */
export async function getAnswerQuality(
  context: Context,
  input: DayRange & { readonly organizationId: string },
): Promise<AnswerQuality> {
  const { id } = await requireOrganization(context, input.organizationId, 'usage:read');
  const { first, last } = resolveDayRange(input);
  const rows = await runSql<DayRow>(context.db, findDays, [id, first, last]);
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
 * Returns one row per day. The number of buckets per day is small, because it grows only with the logarithm of the
 * longest latency.
 */
const findDays = `
  select to_char(calendar.day, 'YYYY-MM-DD') as day, coalesce(bucket.counts, '[]') as counts
  from generate_series($2::date, $3::date, interval '1 day') as calendar (day)
  left join (
    select day, jsonb_agg(jsonb_build_array(latency_step, answers, unsure)) as counts
    from grounded.answer_days
    where organization_id = $1::uuid and day between $2::date and $3::date
    group by day
  ) bucket on bucket.day = calendar.day
  order by calendar.day`;

/** Number of answers with about the same latency: 1.1^`step` milliseconds. */
interface LatencyBucket {
  readonly step: number;
  readonly answers: number;
  readonly unsure: number;
}

interface DayRow {
  /** Such as `2026-11-21`. */
  readonly day: string;
  readonly counts: readonly LatencyCounts[];
}

/** Latency step, answers, unsure answers. */
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
