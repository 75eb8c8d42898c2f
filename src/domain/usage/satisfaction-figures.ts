import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { type DayRange, resolveDayRange } from './day-range.ts';
import { requireUsageScope, type UsageScope } from './usage-scope.ts';

/** Satisfaction of end users with agents (CSAT). Covers the handoffs that were resolved in a range of days. */
export interface SatisfactionFigures {
  /** Number of end users who were asked. */
  readonly asked: number;
  /** Number of end users who gave a rating. */
  readonly ratings: number;
  /** Number of ratings of 4 and 5. */
  readonly satisfied: number;
  /** Number of ratings of 1, 2, 3, 4 and 5, in this order. */
  readonly distribution: readonly number[];
}

/**
 * Returns the satisfaction with the agents of an organization, or of one of its projects.
 * @throws DomainError from `requireUsageScope` and `resolveDayRange`
 */
export async function getSatisfactionFigures(
  context: Context,
  input: DayRange & UsageScope,
): Promise<SatisfactionFigures> {
  const { id, projectId } = await requireUsageScope(context, input);
  const { first, last } = resolveDayRange(input);
  const rows = await runSql<Count>(context.db, countRatings, [id, projectId, first, last]);
  const distribution = [1, 2, 3, 4, 5].map(
    (rating) => rows.find((row) => row.rating === rating)?.count ?? 0,
  );
  return {
    asked: sum(rows.map(({ count }) => count)),
    ratings: sum(distribution),
    satisfied: sum(distribution.slice(3)),
    distribution,
  };
}

interface Count {
  readonly rating: number | null;
  readonly count: number;
}

/** Days are in UTC. */
const countRatings = `
  select asked.rating, count(*)::integer as count
  from grounded.handoff_satisfaction asked
  join grounded.projects project on project.id = asked.project_id
  where project.organization_id = $1::uuid and ($2::uuid is null or project.id = $2::uuid)
    and asked.asked_at >= $3::date::timestamp at time zone 'UTC'
    and asked.asked_at < ($4::date + 1)::timestamp at time zone 'UTC'
  group by asked.rating`;

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
