import { newId } from '../../platform/ids.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { storedCitations } from '../conversations/messages.ts';
import { claimSteps, claimValues } from '../idempotency/idempotent-effect.ts';
import type { Project } from '../organizations/find-project.ts';
import { consumedOnDay, consumeMessageSql, messageQuotaExceeded } from '../usage/message-quota.ts';
import { incrementDaySql } from '../usage/usage-sql.ts';
import type { ChatReply } from './chat-event.ts';
import { failOrphanedAnswers } from './finalize-turn.ts';
import type { InsertedTurn } from './insert-turn.ts';

/** The turn that an earlier attempt of the same request stored before the process of that attempt died. */
export type EarlierTurn =
  | { readonly type: 'ANSWERED'; readonly reply: ChatReply }
  | { readonly type: 'RESTARTED'; readonly turn: InsertedTurn };

/**
 * Returns the turn that an earlier attempt of the request stored, or null if there is none. A finished answer is
 * returned as stored. An unfinished answer is generated again and replaces the earlier one. So the transcript has one
 * question with one answer, and one message is consumed.
 *
 * @throws DomainError QUOTA_EXCEEDED when the message was refunded and the allowance has been used up since.
 */
export async function retryTurn(
  context: Context,
  project: Pick<Project, 'id' | 'organizationId'>,
  { isResumable, holdingText }: { readonly isResumable: boolean; readonly holdingText: string },
): Promise<EarlierTurn | null> {
  const { claimedKey, db } = context;
  if (!claimedKey?.effectId) return null;
  const message = await db.message.findFirst({
    where: { id: claimedKey.effectId, projectId: project.id },
  });
  if (message === null) return null;
  const isStopped = message.status === 'STOPPED' && message.stopRequestedAt !== null;
  if (message.status !== 'COMPLETED' && !isStopped) {
    // Counts the tokens of the earlier attempt.
    await failOrphanedAnswers(context, { afterSeconds: 0, messageId: message.id });
    const turn = await restartTurn(context, project, isResumable);
    return turn && { type: 'RESTARTED', turn };
  }
  const { conversationId, id, confidence, latencyMs, intent, finishReason } = message;
  // If the latest message is an agent's reply, returns the holding message with the id of that reply (as `insertTurn`
  // does).
  const content = message.role === 'AGENT' ? holdingText : message.content;
  const usage = { inputTokens: message.inputTokens, outputTokens: message.outputTokens };
  const reply = {
    ...{ conversationId, messageId: id, content, citations: storedCitations(message) },
    ...{ confidence: confidence ?? 0, latencyMs: latencyMs ?? 0, correctedQuestion: null, intent },
    ...{ finishReason, usage },
  };
  return { type: 'ANSWERED', reply };
}

/**
 * Reserves the message of an unfinished answer for a new attempt. The message gets a new id, so a process that was
 * wrongly considered dead can no longer write to it. Returns null while an agent owns the conversation.
 */
async function restartTurn(
  { pool, claimedKey }: Context,
  project: Pick<Project, 'id' | 'organizationId'>,
  isResumable: boolean,
): Promise<InsertedTurn | null> {
  if (!claimedKey?.effectId) return null;
  const [restarted] = await runSql<RestartedRow>(pool, restartStatement, [
    claimedKey.effectId,
    project.id,
    project.organizationId,
    newId(),
    isResumable,
    ...claimValues(claimedKey),
  ]);
  if (restarted === undefined) return null;
  const { conversationId, messageId, position } = restarted;
  if (position === null) throw messageQuotaExceeded();
  return { conversationId, messageId, position, isAgentOwned: false };
}

interface RestartedRow {
  readonly conversationId: string;
  readonly messageId: string;
  /** Position of the answer. Null if the allowance is used up. */
  readonly position: number | null;
}

const claim = claimSteps(6, { effect: 'restarted', effectIdSql: 'restarted.id' });

/** Consumes a message again, because the failed answer was refunded. */
const restartStatement = {
  name: 'restart-turn',
  text: `
  with ${claim.lock}unfinished as (
    select message.id, message.conversation_id, message.status
    from grounded.messages message
      join grounded.conversations conversation on conversation.id = message.conversation_id, claim
    where message.id = $1 and message.project_id = $2 and message.status <> 'COMPLETED'
      and conversation.status <> 'HUMAN'
    for update of message
  ), clock as (
    select now()::timestamptz(3) as written_at from unfinished where status = 'FAILED'
  ), allowance as (${consumeMessageSql({ organizationSql: '$3::uuid', from: 'clock', timestampSql: 'written_at' })}
  ), counted_day as (${incrementDaySql(consumedOnDay, ['messages'])}
  ), removed_events as (
    delete from grounded.answer_events event using unfinished where event.message_id = unfinished.id
  ), removed_feedback as (
    delete from grounded.message_feedback feedback using unfinished where feedback.message_id = unfinished.id
  ), removed_trace as (
    delete from grounded.answer_traces trace using unfinished where trace.message_id = unfinished.id
  ), restarted as (
    update grounded.messages message
    set id = $4::uuid, status = 'GENERATING', content = '', citations = '[]', is_resumable = $5,
      lease_renewed_at = now(), stop_requested_at = null, updated_at = now(),
      input_tokens = 0, output_tokens = 0, embedding_tokens = 0, model_tokens = null, confidence = null,
      retrieval_confidence = null, model = null, finish_reason = null, latency_ms = null,
      created_at = case when allowance.is_consumed then now() else message.created_at end
    from unfinished left join allowance on true
    where message.id = unfinished.id and (unfinished.status <> 'FAILED' or allowance.is_consumed)
    returning message.id, message.position
  )${claim.record}
  select unfinished.conversation_id as "conversationId", $4::uuid as "messageId", restarted.position
  from unfinished left join restarted on true`,
};
