import { DomainError, serviceAbortReason, toServerError } from '../../platform/errors.ts';
import type { Context } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import { type AnswerDraft, replyOf } from './answer-draft.ts';
import type { ChatEvent, ChatReply } from './chat-event.ts';
import { finalizeTurn } from './finalize-turn.ts';
import type { InsertedTurn } from './insert-turn.ts';
import type { AnswerRun } from './runs/answer-run.ts';
import { leaseExpiredError } from './runs/expired-answer-lease.ts';

/** The result of an answer. `isDisconnected`: the client has disconnected, so no final event is sent. */
export type Outcome =
  | { readonly status: 'COMPLETED' }
  | { readonly status: 'STOPPED'; readonly isDisconnected: boolean }
  | { readonly status: 'FAILED'; readonly error: unknown };

/** Returns the outcome of an answer if its generation threw `error`. */
export function outcomeOf({ signal, isStopped }: AnswerRun, error: unknown): Outcome {
  const stopReason = serviceAbortReason(signal);
  if (stopReason !== null) return { status: 'FAILED', error: stopReason };
  return signal.aborted
    ? { status: 'STOPPED', isDisconnected: !isStopped }
    : { status: 'FAILED', error };
}

/**
 * Stores the finished answer and, if the answer is resumable, its last events. Returns the final event, or null if the
 * client has disconnected.
 */
export async function finishAnswer(
  context: Context,
  run: AnswerRun,
  answer: {
    readonly project: Project;
    readonly turn: InsertedTurn;
    readonly draft: AnswerDraft;
    readonly outcome: Outcome;
    /** The trace in its stored form. Null: stores none. */
    readonly trace: Buffer | null;
  },
): Promise<ChatEvent | null> {
  const { project, turn, draft, outcome, trace } = answer;
  try {
    const last = terminalEvent(context, project, replyOf(turn, draft), outcome);
    const { seq, events } = await context.runningAnswers.detach(run);
    const unstoredEvents = {
      seq,
      events: run.isResumable && last !== null ? [...events, last] : [],
    };
    const answerRef = { projectId: project.id, messageId: turn.messageId };
    const finished = { ...draft, status: outcome.status, trace };
    const isStored = await finalizeTurn(context, answerRef, finished, unstoredEvents);
    return isStored ? last : errorEvent(context, project, leaseExpiredError());
  } catch (error) {
    return errorEvent(context, project, error);
  }
}

function terminalEvent(
  context: Context,
  project: Project,
  reply: ChatReply,
  outcome: Outcome,
): ChatEvent | null {
  if (outcome.status === 'FAILED') return errorEvent(context, project, outcome.error);
  const isDisconnected = outcome.status === 'STOPPED' && outcome.isDisconnected;
  return isDisconnected ? null : { type: 'done', reply };
}

function errorEvent(context: Context, project: Project, error: unknown): ChatEvent {
  if (error instanceof DomainError && error.code !== 'INTERNAL') {
    context.log.warn({ err: error, projectId: project.id }, 'answer failed');
    const { message, code, retryable } = error;
    return { type: 'error', message, code, retryable };
  }
  context.log.error({ err: error, projectId: project.id }, 'answer failed unexpectedly');
  const { code, message, retryable } = toServerError(error);
  return { type: 'error', message, code, retryable };
}
