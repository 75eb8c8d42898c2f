import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';
import { resolveAgent } from './resolve-agent.ts';

/** Each count stops at this number, so that counting is fast in every project. */
const maxHandoffCount = 100;

/** Numbers of handoffs of a project. Each number is at most `maxHandoffCount`. */
export interface HandoffCounts {
  readonly waiting: number;
  /** Number of handoffs that any agent has claimed. */
  readonly claimed: number;
  /** Number of handoffs that the caller has claimed. */
  readonly mine: number;
  /** Number of handoffs that the caller has claimed and that contain messages which the caller has not read. */
  readonly unread: number;
  readonly resolved: number;
}

/**
 * Counts the project's handoffs. With `latestOnly`, counts only the latest handoff of each conversation.
 *
 * @throws DomainError from `requireProject`.
 */
export async function countHandoffs(
  context: Context,
  {
    projectId,
    latestOnly,
  }: { readonly projectId?: string | null; readonly latestOnly?: boolean | null },
): Promise<HandoffCounts> {
  const project = await requireProject(context, projectId, 'conversations:read');
  const { operator: caller } = await resolveAgent(context, project.organizationId, null);
  const [counts] = await runSql<HandoffCounts>(context.db, latestOnly ? countLatest : countAll, [
    project.id,
    caller,
    maxHandoffCount,
  ]);
  return counts ?? { waiting: 0, claimed: 0, mine: 0, unread: 0, resolved: 0 };
}

const count = (condition: string) => `(
    select count(*)::integer from (
      select from grounded.handoffs handoff
      where handoff.project_id = $1::uuid and ${condition}
      limit $3::integer
    ) counted)`;

const isMine = `handoff.status = 'CLAIMED' and handoff.claimed_by = $2`;

const isUnread = `${isMine} and exists (
        select from grounded.messages message
        where message.project_id = handoff.project_id and message.conversation_id = handoff.conversation_id
          and message.role = 'USER' and message.position > coalesce((
            select last_read.position from grounded.conversation_reads last_read
            where last_read.conversation_id = handoff.conversation_id and last_read.reader = $2), 0))`;

/**
 * With `latestOnly`, only the condition for resolved handoffs differs, because an open handoff is always the latest of
 * its conversation.
 */
const selectCounts = (isResolved: string) => `
  select ${count(`handoff.status = 'REQUESTED'`)} as waiting, ${count(`handoff.status = 'CLAIMED'`)} as claimed,
    ${count(isMine)} as mine, ${count(isUnread)} as unread, ${count(isResolved)} as resolved`;

const countAll = selectCounts(`handoff.status = 'RESOLVED'`);
const countLatest = selectCounts(`handoff.status = 'RESOLVED' and handoff.is_latest`);
