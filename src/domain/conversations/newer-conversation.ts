import { createDataLoader } from '../../platform/data-loader.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { Conversation } from './conversations.ts';

/**
 * Returns the latest conversation that the same end user has started after this one, or null. A verified and an
 * unverified end user with the same id count as different end users. The caller must already have access to the
 * conversation. If several conversations are requested together, two SQL statements read all of them.
 */
export function getNewerConversation(
  context: Context,
  { id, projectId, endUserId }: Pick<Conversation, 'id' | 'projectId' | 'endUserId'>,
): Promise<Conversation | null> {
  if (endUserId === null) return Promise.resolve(null);
  return loadNewerConversation(context, projectId, id, async (ids) => {
    const pairs = await runSql<{ readonly id: string; readonly newerId: string }>(
      context.db,
      selectNewerConversations,
      [projectId, ids],
    );
    const newerIds = pairs.map(({ newerId }) => newerId);
    const found = await context.db.conversation.findMany({
      where: { projectId, id: { in: newerIds } },
    });
    const conversations = new Map(found.map((conversation) => [conversation.id, conversation]));
    const newerIdOf = new Map(pairs.map(({ id, newerId }) => [id, newerId]));
    return ids.map((id) => conversations.get(newerIdOf.get(id) ?? '') ?? null);
  });
}

const loadNewerConversation = createDataLoader<string, Conversation | null>();

const selectNewerConversations = `
  select conversation.id, newer.id as "newerId"
  from grounded.conversations conversation
  cross join lateral (
    select latest.id
    from grounded.conversations latest
    where latest.project_id = $1::uuid and latest.end_user_id = conversation.end_user_id
      and latest.is_end_user_verified = conversation.is_end_user_verified
      and (latest.created_at, latest.id) > (conversation.created_at, conversation.id)
    order by latest.created_at desc, latest.id desc
    limit 1
  ) newer
  where conversation.project_id = $1::uuid and conversation.id = any ($2::uuid[])`;
