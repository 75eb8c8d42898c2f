import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';
import { during, isNoTest, percentile } from './analytics-sql.ts';
import { maxRows, type Period, valuesOf } from './period.ts';

/** Handoffs that were requested in a period, of the agent who claimed them last. All times are elapsed seconds. */
export interface AgentFigures {
  /** E-mail address, `key:` and the name of an API key, or `service`. Null for all other agents. */
  readonly agent: string | null;
  readonly claimed: number;
  readonly resolved: number;
  /** Medians of the time from the request. Null if there is nothing to measure. */
  readonly replyP50Seconds: number | null;
  readonly resolutionP50Seconds: number | null;
  /** Number of handoffs that end users rated. */
  readonly ratings: number;
  /** Mean of these ratings, 1 to 5. Null without ratings. */
  readonly meanRating: number | null;
}

/**
 * Returns the figures of the 50 agents with the most handoffs, most first, and one row for all others. Needs
 * `conversations:read`, because the figures name agents.
 * @throws DomainError from `requireProject`
 */
export async function listAgentFigures(context: Context, period: Period): Promise<AgentFigures[]> {
  await requireProject(context, period.project.id, 'conversations:read');
  return runSql<AgentFigures>(context.db, selectAgents, [...valuesOf(period), maxRows]);
}

const selectAgents = `
  with handoff as (
    select claimed_by, resolved_at, satisfaction.rating,
      extract(epoch from first_reply_at - requested_at)::float8 as reply_seconds,
      extract(epoch from resolved_at - requested_at)::float8 as resolution_seconds
    from grounded.handoffs handoff
    left join grounded.handoff_satisfaction satisfaction
      on satisfaction.handoff_id = handoff.id and satisfaction.project_id = $1::uuid
    where handoff.project_id = $1::uuid and is_requested and claimed_by is not null
      and ${during('requested_at')} and ${isNoTest('conversation_id')}
  ), ranked as (
    select claimed_by, row_number() over (order by count(*) desc, claimed_by) as place
    from handoff group by claimed_by
  )
  select case when place <= $4::integer then claimed_by end as agent, count(*)::integer as claimed,
    count(resolved_at)::integer as resolved, ${percentile('reply_seconds', 0.5)} as "replyP50Seconds",
    ${percentile('resolution_seconds', 0.5)} as "resolutionP50Seconds",
    count(rating)::integer as ratings, avg(rating)::float8 as "meanRating"
  from handoff join ranked using (claimed_by)
  group by agent
  order by min(place)`;
