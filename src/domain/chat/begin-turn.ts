import type { Context } from '../context.ts';
import { holdingMessageAt } from '../handoff/holding-message.ts';
import type { Project } from '../organizations/find-project.ts';
import { findAddressedProject, requireProject } from '../organizations/require-project.ts';
import { emptyDraft, replyOf } from './answer-draft.ts';
import type { ChatReply } from './chat-event.ts';
import type { ChatInput } from './chat-input.ts';
import { type InsertedTurn, insertTurn } from './insert-turn.ts';
import { retryTurn } from './retry-turn.ts';
import { startConversation } from './start-conversation.ts';

/** A turn whose answer must be generated, or a reply that is complete from the start. */
export type BegunTurn =
  | { readonly turn: InsertedTurn; readonly project: Project }
  | { readonly turn: null; readonly reply: ChatReply };

/**
 * Stores the message of an end user and an empty answer. If an API key starts a conversation, one SQL statement stores
 * everything. The returned reply is already complete in two cases: the request is a repetition and its answer is
 * stored, or an agent owns the conversation.
 */
export async function beginTurn(
  context: Context,
  input: ChatInput,
  isResumable: boolean,
): Promise<BegunTurn> {
  const startedAt = performance.now();
  const { message, projectId, endUserId = null, verifiedEndUser = null } = input;
  const conversationId = input.conversationId ?? null;
  const question = { message, endUserId, verifiedEndUser, isResumable };
  const isRetry = Boolean(context.claimedKey?.effectId);
  if (conversationId === null && !isRetry) {
    const project =
      findAddressedProject(context, projectId, 'chat') ??
      (await requireProject(context, projectId, 'chat'));
    context.disk.requireSpace();
    return startConversation(context, project, question);
  }
  const project = await requireProject(context, projectId, 'chat');
  context.disk.requireSpace();
  const holdingMessage = holdingMessageAt(project, new Date());
  const holdingText = holdingMessage.text;
  const earlier = await retryTurn(context, project, { isResumable, holdingText });
  if (earlier?.type === 'ANSWERED') return { turn: null, reply: earlier.reply };
  const insert = async () =>
    conversationId === null
      ? (await startConversation(context, project, question)).turn
      : await insertTurn(context, project, { ...question, conversationId, holdingMessage });
  const turn = earlier?.turn ?? (await insert());
  if (!turn.isAgentOwned) return { turn, project };
  const latencyMs = Math.round(performance.now() - startedAt);
  return { turn: null, reply: replyOf(turn, { ...emptyDraft, content: holdingText, latencyMs }) };
}
