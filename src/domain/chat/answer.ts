import { type Context, endedFor } from '../context.ts';
import { DomainError } from '../errors.ts';
import { type Project, requireProject } from '../organizations/require-project.ts';
import type { ChatEvent, ChatReply } from './chat-event.ts';
import { composeAnswer, type Draft, emptyDraft } from './compose-answer.ts';
import { closeTurn, type OpenTurn, openTurn } from './turn.ts';

export interface ChatInput {
  readonly projectId?: string | null;
  readonly message: string;
  readonly conversationId?: string | null;
  readonly endUserId?: string | null;
}

/**
 * Answers one message of an end user from the project's knowledge. Throws before the first event when there
 * can be no answer: what `requireProject` throws, and `NOT_FOUND` for the conversation. What fails later is
 * told by an `error` event. However it ends, the message and what was generated are stored: `COMPLETED`,
 * `FAILED`, or `STOPPED` when the consumer returns or the context's signal aborts.
 */
export async function* answer(
  context: Context,
  input: ChatInput,
): AsyncGenerator<ChatEvent, void, undefined> {
  const startedAt = performance.now();
  const project = await requireProject(context, input.projectId, 'chat');
  const turn = await openTurn(context, {
    projectId: project.id,
    message: input.message,
    conversationId: input.conversationId ?? null,
    endUserId: input.endUserId ?? null,
  });
  const draft = emptyDraft();
  let outcome: Outcome = { status: 'STOPPED' };
  try {
    yield { type: 'meta', conversationId: turn.conversationId, messageId: turn.messageId };
    yield* composeAnswer(context, { project, turn, question: input.message }, draft);
    outcome = { status: 'COMPLETED' };
  } catch (error) {
    const ended = endedFor(context.signal);
    if (ended !== null) outcome = { status: 'FAILED', error: ended };
    else if (!context.signal.aborted) outcome = { status: 'FAILED', error };
  } finally {
    draft.latencyMs = Math.round(performance.now() - startedAt);
    await closeTurn(context, turn, { ...draft, status: outcome.status });
  }
  if (outcome.status === 'COMPLETED') yield { type: 'done', reply: replyOf(turn, draft) };
  if (outcome.status === 'FAILED') yield failure(context, project, outcome.error);
}

type Outcome =
  | { readonly status: 'COMPLETED' | 'STOPPED' }
  | { readonly status: 'FAILED'; readonly error: unknown };

function replyOf({ conversationId, messageId }: OpenTurn, draft: Draft): ChatReply {
  const { content, citations, confidence, latencyMs } = draft;
  return { conversationId, messageId, content, citations, confidence, latencyMs };
}

function failure(context: Context, project: Project, error: unknown): ChatEvent {
  if (error instanceof DomainError && error.code !== 'INTERNAL') {
    context.log.warn({ err: error, projectId: project.id }, 'answer failed');
    const { message, code, retryable } = error;
    return { type: 'error', message, code, retryable };
  }
  context.log.error({ err: error, projectId: project.id }, 'answer failed unexpectedly');
  return {
    type: 'error',
    message: 'Something went wrong on our side',
    code: 'INTERNAL',
    retryable: true,
  };
}
