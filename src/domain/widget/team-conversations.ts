import type { ConversationStatus } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { VisitorCaller } from '../caller.ts';
import type { Context } from '../context.ts';

/**
 * A conversation of the visitor that was handed over, and the positions of the messages that agents have written in it.
 */
export interface VisitorTeamConversation {
  readonly id: string;
  readonly status: ConversationStatus;
  /** Positions of the agents' messages, latest first. */
  readonly teamPositions: readonly number[];
}

const maxConversations = 20;
/** If a conversation no longer waits for an agent, its replies may be new to the visitor for this many days. */
const recentDays = 14;
/** Only this many latest messages of a conversation are read. Visitors do not see older messages. */
const maxMessages = 100;

/**
 * Returns at most 20 conversations of the visitor, latest message first. Includes conversations that wait for an agent
 * or that an agent owns. Also includes conversations that were handed over earlier and that have a message from the
 * last 14 days.
 */
export function listTeamConversations(
  { db }: Pick<Context, 'db'>,
  { projectId, endUserId, identityVersion }: VisitorCaller,
): Promise<VisitorTeamConversation[]> {
  const isVerified = identityVersion !== null;
  const values = [projectId, endUserId, isVerified, recentDays, maxConversations, maxMessages];
  return runSql<VisitorTeamConversation>(db, selectTeamConversations, values);
}

const selectTeamConversations = `
  select conversation.id, conversation.status, array(
    select message.position
    from grounded.messages message
    where message.project_id = $1::uuid and message.conversation_id = conversation.id
      and message.role = 'AGENT' and message.position > conversation.message_count - $6::integer
    order by message.position desc
  ) as "teamPositions"
  from (
    select recent.id, recent.status, recent.message_count, recent.last_message_at
    from grounded.conversations recent
    where recent.project_id = $1::uuid and recent.end_user_id = $2
      and recent.is_end_user_verified = $3::boolean
      and (recent.status in ('HANDOFF_REQUESTED', 'HUMAN')
        or recent.last_message_at > now() - make_interval(days => $4::integer))
      and exists (
        select from grounded.handoffs handoff
        where handoff.project_id = $1::uuid and handoff.conversation_id = recent.id
      )
    order by recent.last_message_at desc, recent.id desc
    limit $5::integer
  ) conversation
  order by conversation.last_message_at desc, conversation.id desc`;
