import { DomainError, serviceAbortReason, toServerError } from '../../platform/errors.ts';
import { tenantOf } from '../caller-tenant.ts';
import type { Context } from '../context.ts';
import { type HoldingMessage, holdingMessageAt } from '../handoff/holding-message.ts';
import { parseFilter } from '../knowledge/filter/parse-filter.ts';
import {
  findAddressedProject,
  type Project,
  requireProject,
} from '../organizations/require-project.ts';
import { readWhileAuthorized } from '../subscriptions/read-while-authorized.ts';
import { reauthorizeSubscription } from '../subscriptions/reauthorize-subscription.ts';
import { type AnswerDraft, emptyDraft } from './answer-draft.ts';
import type { ChatEvent, ChatReply } from './chat-event.ts';
import type { ChatInput, CheckedChatInput } from './chat-input.ts';
import { composeAnswer } from './compose-answer.ts';
import { finalizeTurn } from './finalize-turn.ts';
import { type InsertedTurn, insertTurn } from './insert-turn.ts';
import { retryTurn } from './retry-turn.ts';
import type { AnswerRun } from './runs/answer-run.ts';
import type { StartSlot } from './runs/answer-starts.ts';
import { leaseExpiredError } from './runs/expired-answer-lease.ts';
import { startConversation } from './start-conversation.ts';

/**
 * Answers one message of an end user from the project's knowledge. The message and the generated text are always
 * stored.
 *
 * The final status is `COMPLETED`, `FAILED` or `STOPPED`. `stopAnswer` sets an answer to `STOPPED`. An answer that is
 * not resumable also becomes `STOPPED` if the consumer returns or the context's signal aborts. Failures after the first
 * event are sent as an `error` event. While an agent owns the conversation, the answer is the project's holding message
 * or out-of-hours message.
 *
 * @throws DomainError from `parseFilter` and `requireProject`, before the first event.
 * @throws DomainError UNAVAILABLE when the disk is full, before the first event.
 * @throws DomainError NOT_FOUND when the conversation does not exist in the project, before the first event.
 * @throws DomainError QUOTA_EXCEEDED when the allowance is used up, before the first event.
 * @throws DomainError UNAVAILABLE when too many answers are starting, or too many resumable answers are running, before the
 * first event.
 */
export async function* streamAnswer(
  context: Context,
  input: ChatInput,
): AsyncGenerator<ChatEvent, void, undefined> {
  const filter = parseFilter(input.filter);
  const { answerStarts, caller, signal, receivedAt } = context;
  const start = await answerStarts.admit(tenantOf(caller), signal, receivedAt);
  const run = startRun(context, { ...input, filter }, start);
  try {
    const authorize = () => reauthorizeSubscription(context, input.projectId, 'chat');
    yield* readWhileAuthorized(context, authorize, (signal) => run.read(0, signal));
  } finally {
    if (!run.isResumable) {
      run.abort();
      await run.finished;
    }
  }
}

function startRun(context: Context, input: CheckedChatInput, start: StartSlot): AnswerRun {
  try {
    const run = context.runningAnswers.start(input.resumable ?? false, (run) =>
      generate({ ...context, signal: run.signal }, input, run, start),
    );
    void run.finished.then(() => start[Symbol.dispose]());
    return run;
  } catch (error) {
    start[Symbol.dispose]();
    throw error;
  }
}

async function* generate(
  context: Context,
  input: CheckedChatInput,
  run: AnswerRun,
  start: StartSlot,
): AsyncGenerator<ChatEvent, void, undefined> {
  const startedAt = performance.now();
  const { project, turn, earlierReply, holdingMessage } = await startTurn(context, input, run);
  if (earlierReply !== null) {
    yield* completeReplyEvents(earlierReply);
    return;
  }
  const draft = emptyDraft();
  if (turn.isAgentOwned) {
    const latencyMs = Math.round(performance.now() - startedAt);
    yield* completeReplyEvents(
      replyOf(turn, { ...draft, content: holdingMessage.text, latencyMs }),
    );
    return;
  }
  context.runningAnswers.register(run, { projectId: project.id, messageId: turn.messageId }, draft);
  let outcome: Outcome = { status: 'COMPLETED' };
  try {
    yield { type: 'meta', conversationId: turn.conversationId, messageId: turn.messageId };
    const inner = { ...context, claimedKey: null };
    const { message: question, history, filter } = input;
    yield* composeAnswer(inner, { project, turn, question, history, filter, start }, draft);
  } catch (error) {
    outcome = outcomeOf(run, error);
  }
  draft.latencyMs = Math.round(performance.now() - startedAt);
  const last = await finalizeAnswer(context, run, { project, turn, draft }, outcome);
  if (last !== null) yield last;
}

type StartedTurn = { readonly project: Project; readonly holdingMessage: HoldingMessage } & (
  | { readonly turn: InsertedTurn; readonly earlierReply: null }
  | { readonly turn: null; readonly earlierReply: ChatReply }
);

/** No agent owns a conversation that starts. */
const noHoldingMessage: HoldingMessage = { text: '', isOutOfHours: false };

/** Reads the project and inserts the turn: in one statement if an API key starts a conversation. */
async function startTurn(
  context: Context,
  input: ChatInput,
  { isResumable }: AnswerRun,
): Promise<StartedTurn> {
  const { message, projectId, endUserId = null, verifiedEndUser = null } = input;
  const conversationId = input.conversationId ?? null;
  const question = { message, endUserId, verifiedEndUser, isResumable };
  const isRetry = Boolean(context.claimedKey?.effectId);
  if (conversationId === null && !isRetry) {
    const project =
      findAddressedProject(context, projectId, 'chat') ??
      (await requireProject(context, projectId, 'chat'));
    context.disk.requireSpace();
    const started = await startConversation(context, project, question);
    return { ...started, earlierReply: null, holdingMessage: noHoldingMessage };
  }
  const project = await requireProject(context, projectId, 'chat');
  context.disk.requireSpace();
  const holdingMessage = holdingMessageAt(project, new Date());
  const earlier = await retryTurn(context, project, {
    isResumable,
    holdingText: holdingMessage.text,
  });
  if (earlier?.type === 'ANSWERED') {
    return { project, turn: null, earlierReply: earlier.reply, holdingMessage };
  }
  const insert = async () =>
    conversationId === null
      ? (await startConversation(context, project, question)).turn
      : await insertTurn(context, project, { ...question, conversationId, holdingMessage });
  return { project, turn: earlier?.turn ?? (await insert()), earlierReply: null, holdingMessage };
}

/** `isDisconnected`: the client has disconnected, so no final event is sent. */
type Outcome =
  | { readonly status: 'COMPLETED' }
  | { readonly status: 'STOPPED'; readonly isDisconnected: boolean }
  | { readonly status: 'FAILED'; readonly error: unknown };

function outcomeOf({ signal, isStopped }: AnswerRun, error: unknown): Outcome {
  const stopReason = serviceAbortReason(signal);
  if (stopReason !== null) return { status: 'FAILED', error: stopReason };
  return signal.aborted
    ? { status: 'STOPPED', isDisconnected: !isStopped }
    : { status: 'FAILED', error };
}

/**
 * Stores the finished answer, with the last events if it is resumable. Returns the final event, or null if the client
 * has disconnected.
 */
async function finalizeAnswer(
  context: Context,
  run: AnswerRun,
  { project, turn, draft }: { project: Project; turn: InsertedTurn; draft: AnswerDraft },
  outcome: Outcome,
): Promise<ChatEvent | null> {
  try {
    const last = terminalEvent(context, project, replyOf(turn, draft), outcome);
    const { seq, events } = await context.runningAnswers.detach(run);
    const unstoredEvents = {
      seq,
      events: run.isResumable && last !== null ? [...events, last] : [],
    };
    const answerRef = { projectId: project.id, messageId: turn.messageId };
    const isStored = await finalizeTurn(
      context,
      answerRef,
      { ...draft, status: outcome.status },
      unstoredEvents,
    );
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

function replyOf({ conversationId, messageId }: InsertedTurn, draft: AnswerDraft): ChatReply {
  const { content, citations, confidence, latencyMs, intent, correctedQuestion } = draft;
  const { finishReason, usage } = draft;
  return {
    ...{ conversationId, messageId, content, citations, confidence, latencyMs },
    ...{ correctedQuestion, intent, finishReason, usage },
  };
}

/** Emits a reply that is complete from the start: a holding message, or the stored answer of a repeated request. */
function* completeReplyEvents(reply: ChatReply): Generator<ChatEvent> {
  const { conversationId, messageId, citations, confidence, content } = reply;
  yield { type: 'meta', conversationId, messageId };
  yield { type: 'sources', citations, confidence };
  yield { type: 'delta', text: content };
  yield { type: 'done', reply };
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
