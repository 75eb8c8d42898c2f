import { notFound } from '../../platform/errors.ts';
import { isId, newId } from '../../platform/ids.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { HoldingMessage } from '../handoff/holding-message.ts';
import {
  claimSteps,
  claimValues,
  noClaimSteps,
  requireHeldClaim,
  type StatementSteps,
} from '../idempotency/idempotent-effect.ts';
import type { Project } from '../organizations/find-project.ts';
import { consumedOnDay, consumeMessageSql, messageQuotaExceeded } from '../usage/message-quota.ts';
import { storedBytesSql } from '../usage/storage-quota.ts';
import { incrementDaySql } from '../usage/usage-sql.ts';

/** A stored question and the message reserved for its answer. */
export interface InsertedTurn {
  readonly conversationId: string;
  /**
   * Id of the answer's message, whose status is `GENERATING`. While an agent owns the conversation: id of the holding
   * message, or of the agent's latest reply.
   */
  readonly messageId: string;
  /** Position of the last message in the conversation. */
  readonly position: number;
  /** True if an agent owns the conversation. The assistant then sends only the holding message. */
  readonly isAgentOwned: boolean;
}

export interface TurnInput {
  readonly message: string;
  readonly conversationId: string;
  readonly endUserId: string | null;
  /** Text that is stored as the reply while an agent owns the conversation. */
  readonly holdingMessage: HoldingMessage;
  /** Whether generation continues after the client disconnects. */
  readonly isResumable: boolean;
}

/**
 * Inserts the question and the message of its answer in one statement, so that each answer directly follows its
 * question. Consumes exactly one message of the monthly allowance, even with concurrent requests. `startConversation`
 * inserts the first turn.
 *
 * While an agent owns the conversation, no allowance is consumed: the messages count against the storage, and the question
 * goes to the inbox. The first question
 * after the agent's last reply also inserts the holding message. Later questions insert no further holding message. If
 * the project's text has changed, they update the existing message.
 *
 * The same statement records the answer as the effect of the request's `Idempotency-Key`.
 *
 * @throws DomainError IDEMPOTENCY_KEY_IN_USE when another process has taken over the request. Nothing is stored.
 * @throws DomainError NOT_FOUND when the conversation belongs to another project or end user. Nothing is stored.
 * @throws DomainError QUOTA_EXCEEDED when the allowance is used up. Nothing is stored.
 */
export async function insertTurn(
  context: Pick<Context, 'pool' | 'caller' | 'claimedKey'>,
  project: Pick<Project, 'id' | 'organizationId'>,
  question: TurnInput,
): Promise<InsertedTurn> {
  const { message, conversationId, endUserId } = question;
  if (!isId(conversationId)) throw notFound('Conversation');
  const { pool, caller, claimedKey } = context;
  const values = [
    conversationId,
    project.id,
    project.organizationId,
    endUserId,
    newId(),
    newId(),
    message,
    question.isResumable,
    question.holdingMessage.text,
    caller.type === 'key' ? caller.keyId : null,
    question.holdingMessage.isOutOfHours,
    ...(claimedKey === null ? [] : claimValues(claimedKey)),
  ];
  const statement = claimedKey === null ? statements.plain : statements.claimed;
  const [inserted] = await runSql<InsertedRow>(pool, statement, values);
  if (!inserted?.position) await requireHeldClaim(context);
  if (inserted === undefined) throw notFound('Conversation');
  const { position, messageId, isAgentOwned } = inserted;
  if (position === null) throw messageQuotaExceeded();
  return { conversationId: inserted.conversationId, messageId, position, isAgentOwned };
}

interface InsertedRow {
  readonly conversationId: string;
  readonly messageId: string;
  /** Position of the answer. Null if the allowance is used up. */
  readonly position: number | null;
  readonly isAgentOwned: boolean;
}

/**
 * Steps of the statement: `locked` locks the conversation, so that only one request at a time writes to it.
 * `conversation` returns the new message count, which determines the positions of the new messages. `held_id` is the id
 * of the answer while an agent owns the conversation: the id of the holding message of this claim, or of the agent's
 * latest reply. Outside business hours, the first question after a reply gets its own holding message. `clock` reads
 * the time after the lock is acquired, so that timestamps and positions have the same order.
 *
 * Later steps join earlier steps and do not read them in a subquery: if a row changed while the statement waited for
 * its lock, Postgres cannot re-evaluate a data-modifying step in a subquery.
 */
function buildStatement({ lock, from, record }: StatementSteps): string {
  return `
  with ${lock}locked as (
    select id, status = 'HUMAN' as is_agent_owned, holding_message_id as held_id
    from grounded.conversations conversation${from}
    where id = $1 and project_id = $2 and ($4::text is null or end_user_id is null or end_user_id = $4)
    for update of conversation
  ), clock as (
    select id, is_agent_owned, case when $11::boolean and exists (
        select from grounded.messages message
        where message.project_id = $2 and message.conversation_id = locked.id and message.id = held_id and role = 'AGENT'
      ) then null else held_id end as held_id,
      clock_timestamp()::timestamptz(3) as written_at
    from locked
  ), allowance as (${consumeMessageSql({
    organizationSql: '$3::uuid',
    from: '(select written_at from clock where not is_agent_owned) as clock',
    timestampSql: 'written_at',
  })}
  ), counted_day as (${incrementDaySql(consumedOnDay, ['messages'])}
  ), conversation as (
    update grounded.conversations as conversation
    set message_count = message_count + case when clock.is_agent_owned and clock.held_id is not null then 1 else 2 end,
      last_message_at = clock.written_at, updated_at = clock.written_at,
      end_user_id = coalesce(end_user_id, $4),
      status = case when status = 'RESOLVED' then 'OPEN' else status end,
      holding_message_id = case when clock.is_agent_owned then coalesce(clock.held_id, $6::uuid) end
    from clock left join allowance on true
    where conversation.id = clock.id and (clock.is_agent_owned or allowance.is_consumed)
    returning conversation.id, project_id, message_count, clock.is_agent_owned, clock.written_at,
      coalesce(holding_message_id, $6::uuid) as answer_id
  ), written as (
    insert into grounded.messages (id, conversation_id, project_id, position, role, status, content, is_resumable,
      asked_by_key, lease_renewed_at, created_at, updated_at, stored_bytes)
    select $5::uuid, id, project_id, message_count - case when answer_id = $6::uuid then 1 else 0 end,
      'USER'::grounded.message_role, 'COMPLETED'::grounded.message_status, $7::text, false, null::uuid, null,
      written_at, written_at, case when is_agent_owned then ${storedBytesSql('$7::text')} else 0 end
    from conversation
    union all
    select $6::uuid, id, project_id, message_count,
      case when is_agent_owned then 'SYSTEM' else 'ASSISTANT' end::grounded.message_role,
      case when is_agent_owned then 'COMPLETED' else 'GENERATING' end::grounded.message_status,
      case when is_agent_owned then $9::text else '' end, $8::boolean and not is_agent_owned,
      case when is_agent_owned then null else $10::uuid end,
      case when is_agent_owned then null else written_at end, written_at, written_at,
      case when is_agent_owned then ${storedBytesSql('$9::text')} else 0 end
    from conversation
    where answer_id = $6::uuid
  ), refreshed_holding_message as (
    update grounded.messages as message set content = $9::text, updated_at = now()
    from conversation
    where message.id = conversation.answer_id and message.conversation_id = conversation.id
      and conversation.is_agent_owned and message.role = 'SYSTEM' and message.content <> $9::text
  ), inbox as (
    update grounded.projects as project set inbox_position = inbox_position + 1
    from conversation join grounded.handoffs handoff
      on handoff.conversation_id = conversation.id and handoff.status <> 'RESOLVED'
    where project.id = conversation.project_id and conversation.is_agent_owned
    returning project.id, project.inbox_position, handoff.id as handoff_id
  ), inbox_event as (
    insert into grounded.inbox_events (project_id, position, type, handoff_id, message_id)
    select id, inbox_position, 'MESSAGE', handoff_id, $5::uuid from inbox
  )${record}
  select clock.id as "conversationId", clock.is_agent_owned as "isAgentOwned", conversation.message_count as position,
    conversation.answer_id as "messageId"
  from clock left join conversation on true`;
}

const claim = claimSteps(12, { effect: 'conversation', effectIdSql: 'conversation.answer_id' });

/** The statement for a request without an `Idempotency-Key`, and for a request with one. */
const statements = {
  plain: { name: 'continue-conversation', text: buildStatement(noClaimSteps) },
  claimed: { name: 'continue-conversation-once', text: buildStatement(claim) },
};
