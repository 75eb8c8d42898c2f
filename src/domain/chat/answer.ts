import { type Context, endedFor } from '../context.ts';
import { asUnexpected, DomainError } from '../errors.ts';
import { holdingTextAt } from '../handoff/holding-text.ts';
import { type Project, requireProject } from '../organizations/require-project.ts';
import type { AnswerRun } from './answer-run.ts';
import type { ChatEvent, ChatReply } from './chat-event.ts';
import { closeTurn } from './close-turn.ts';
import { composeAnswer, type Draft, emptyDraft } from './compose-answer.ts';
import { forsakenAnswer } from './forsaken-answer.ts';
import { type OpenTurn, openTurn } from './open-turn.ts';

export interface ChatInput {
  readonly projectId?: string | null;
  readonly message: string;
  readonly conversationId?: string | null;
  readonly endUserId?: string | null;
  /** The answer goes on to its end without its reader, who may come back to it with `resumeAnswer`. */
  readonly resumable?: boolean | null;
}

/**
 * Answers one message of an end user from the project's knowledge. Throws before the first event when there
 * can be no answer: what `requireProject` throws, `NOT_FOUND` for the conversation, `QUOTA_EXCEEDED`, and
 * `UNAVAILABLE` while too many resumable answers are running. What fails later is told by an `error` event. However
 * it ends, the message and what was generated are stored: `COMPLETED`, `FAILED`, or `STOPPED` by `stopAnswer` or,
 * unless it is resumable, when the consumer returns or the context's signal aborts. While a person has the
 * conversation the project's holding text is the answer, or its out-of-hours text.
 */
export async function* answer(
  context: Context,
  input: ChatInput,
): AsyncGenerator<ChatEvent, void, undefined> {
  const run = context.runningAnswers.start(input.resumable ?? false, (run) =>
    generate({ ...context, signal: run.signal }, input, run),
  );
  try {
    yield* run.read(0, context.signal);
  } finally {
    if (!run.isResumable) {
      run.abort();
      await run.ended;
    }
  }
}

async function* generate(
  context: Context,
  input: ChatInput,
  run: AnswerRun,
): AsyncGenerator<ChatEvent, void, undefined> {
  const startedAt = performance.now();
  const project = await requireProject(context, input.projectId, 'chat');
  const holdingText = holdingTextAt(project, new Date());
  const turn = await openTurn(context, project, {
    message: input.message,
    conversationId: input.conversationId ?? null,
    endUserId: input.endUserId ?? null,
    holdingText,
    isResumable: run.isResumable,
  });
  const draft = emptyDraft();
  if (turn.isHeld) {
    const latencyMs = Math.round(performance.now() - startedAt);
    yield* heldReply(turn, { ...draft, content: holdingText, latencyMs });
    return;
  }
  context.runningAnswers.place(run, { projectId: project.id, messageId: turn.messageId });
  let outcome: Outcome = { status: 'COMPLETED' };
  try {
    yield { type: 'meta', conversationId: turn.conversationId, messageId: turn.messageId };
    yield* composeAnswer(context, { project, turn, question: input.message }, draft);
  } catch (error) {
    outcome = outcomeOf(run, error);
  }
  draft.latencyMs = Math.round(performance.now() - startedAt);
  const last = await close(context, run, { project, turn, draft }, outcome);
  if (last !== null) yield last;
}

/** `isLeft`: nobody is there any more to be told. */
type Outcome =
  | { readonly status: 'COMPLETED' }
  | { readonly status: 'STOPPED'; readonly isLeft: boolean }
  | { readonly status: 'FAILED'; readonly error: unknown };

function outcomeOf({ signal, isStopped }: AnswerRun, error: unknown): Outcome {
  const ended = endedFor(signal);
  if (ended !== null) return { status: 'FAILED', error: ended };
  return signal.aborted ? { status: 'STOPPED', isLeft: !isStopped } : { status: 'FAILED', error };
}

/** Stores the end of an answer, with its last events where it is resumable, and says how it is told. */
async function close(
  context: Context,
  run: AnswerRun,
  { project, turn, draft }: { project: Project; turn: OpenTurn; draft: Draft },
  outcome: Outcome,
): Promise<ChatEvent | null> {
  try {
    const last = lastEvent(context, project, replyOf(turn, draft), outcome);
    const { seq, events } = await context.runningAnswers.release(run);
    const span = { seq, events: run.isResumable && last !== null ? [...events, last] : [] };
    const place = { projectId: project.id, messageId: turn.messageId };
    const isStored = await closeTurn(context, place, { ...draft, status: outcome.status }, span);
    return isStored ? last : failure(context, project, forsakenAnswer());
  } catch (error) {
    return failure(context, project, error);
  }
}

function lastEvent(
  context: Context,
  project: Project,
  reply: ChatReply,
  outcome: Outcome,
): ChatEvent | null {
  if (outcome.status === 'FAILED') return failure(context, project, outcome.error);
  const isLeft = outcome.status === 'STOPPED' && outcome.isLeft;
  return isLeft ? null : { type: 'done', reply };
}

function replyOf({ conversationId, messageId }: OpenTurn, draft: Draft): ChatReply {
  const { content, citations, confidence, latencyMs } = draft;
  return { conversationId, messageId, content, citations, confidence, latencyMs };
}

/** What is told while a person has the conversation, in the shape of any answer; it is stored already. */
function* heldReply(turn: OpenTurn, draft: Draft): Generator<ChatEvent> {
  const { citations, confidence, content } = draft;
  yield { type: 'meta', conversationId: turn.conversationId, messageId: turn.messageId };
  yield { type: 'sources', citations, confidence };
  yield { type: 'delta', text: content };
  yield { type: 'done', reply: replyOf(turn, draft) };
}

function failure(context: Context, project: Project, error: unknown): ChatEvent {
  if (error instanceof DomainError && error.code !== 'INTERNAL') {
    context.log.warn({ err: error, projectId: project.id }, 'answer failed');
    const { message, code, retryable } = error;
    return { type: 'error', message, code, retryable };
  }
  context.log.error({ err: error, projectId: project.id }, 'answer failed unexpectedly');
  const { code, message, retryable } = asUnexpected(error);
  return { type: 'error', message, code, retryable };
}
