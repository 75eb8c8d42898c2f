import { createDataLoader } from '../../platform/data-loader.ts';
import { notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { Handoff } from './handoffs.ts';
import { type HandoffAccess, requireConversationAccess } from './require-handoff-access.ts';

export interface ReadMessage {
  readonly conversationId: string;
  /** Project that the conversation must belong to. */
  readonly projectId?: string | null;
  /** E-mail address of the member for whom an API key acts. */
  readonly agent?: string | null;
  /** The latest message that the agent has seen. */
  readonly messageId: string;
}

/**
 * Stores that the agent has read the conversation up to a message. Changes nothing if the agent has already read a
 * later message.
 *
 * @throws DomainError from `requireProject` and `resolveAgent`.
 * @throws DomainError NOT_FOUND when the conversation or the message does not exist.
 */
export async function markConversationRead(
  context: Context,
  { messageId, ...target }: ReadMessage,
): Promise<void> {
  const access = await requireConversationAccess(context, target);
  const { projectId, conversationId } = access;
  if (!isId(messageId)) throw notFound('Message');
  const message = await context.db.message.findFirst({
    where: { id: messageId, projectId, conversationId },
    select: { position: true },
  });
  if (message === null) throw notFound('Message');
  await storeReadPosition(context.db, access, message.position);
}

/** Stores that `operator` has read the conversation up to a position. */
export async function storeReadPosition(
  db: Prisma.TransactionClient,
  { projectId, conversationId, operator }: HandoffAccess,
  position: number,
): Promise<void> {
  await runSql(
    db,
    `insert into grounded.conversation_reads (project_id, conversation_id, reader, position)
     values ($1::uuid, $2::uuid, $3, $4::integer)
     on conflict (conversation_id, reader) do update set position = excluded.position
     where conversation_reads.position < excluded.position`,
    [projectId, conversationId, operator, position],
  );
}

/** Counting of unread messages stops at this number. */
const maxUnreadCount = 100;

/**
 * Returns how many messages of the end user the owner of the handoff has not read, at most `maxUnreadCount`. Returns 0
 * if the handoff is not claimed. The caller must already have access to the handoff. If several handoffs are requested
 * together, one SQL statement reads all of them.
 */
export function countUnread(context: Context, handoff: Handoff): Promise<number> {
  if (handoff.status !== 'CLAIMED') return Promise.resolve(0);
  return loadUnreadCount(context, handoff.projectId, handoff.id, async (ids) => {
    const rows = await runSql<{ id: string; count: number }>(context.db, selectUnreadCounts, [
      handoff.projectId,
      ids,
      maxUnreadCount,
    ]);
    const counts = new Map(rows.map(({ id, count }) => [id, count]));
    return ids.map((id) => counts.get(id) ?? 0);
  });
}

const loadUnreadCount = createDataLoader<string, number>();

const selectUnreadCounts = `
  select handoff.id, unread.count
  from grounded.handoffs handoff
  left join grounded.conversation_reads last_read
    on last_read.conversation_id = handoff.conversation_id and last_read.reader = handoff.claimed_by
  cross join lateral (
    select count(*)::integer as count from (
      select from grounded.messages message
      where message.project_id = handoff.project_id and message.conversation_id = handoff.conversation_id
        and message.position > coalesce(last_read.position, 0) and message.role = 'USER'
      limit $3::integer
    ) counted
  ) unread
  where handoff.project_id = $1::uuid and handoff.id = any ($2::uuid[])`;
