import type { Span } from '../../platform/tracing/span.ts';
import { recordFailure } from '../../platform/tracing/tracer.ts';
import type { Context } from '../context.ts';
import { createAnswerDraft, type RecordStep } from './answer-draft.ts';
import { beginTurn } from './begin-turn.ts';
import type { ChatEvent, ChatReply } from './chat-event.ts';
import type { CheckedChatInput } from './chat-input.ts';
import { composeGroundedAnswer } from './compose-grounded-answer.ts';
import { maxHistoryMessages, readHistory } from './conversation-history.ts';
import type { Asked } from './find-passages.ts';
import { finishAnswer, type Outcome, outcomeOf } from './finish-answer.ts';
import type { InsertedTurn } from './insert-turn.ts';
import { answerSmallTalk } from './intents/answer-small-talk.ts';
import { withProjectModel } from './project-model.ts';
import type { AnswerRun } from './runs/answer-run.ts';
import type { StartSlot } from './runs/answer-starts.ts';
import { inAnswerSpan } from './traces/answer-span.ts';
import { createAnswerTrace } from './traces/create-answer-trace.ts';
import { finishTrace } from './traces/finish-trace.ts';
import { withTrace } from './traces/trace-models.ts';

/**
 * Generates the events of a run: stores the question, composes the answer, and stores the answer or its failure.
 * `context.signal` must be the signal of the run.
 * @throws DomainError from `beginTurn`, before the first event
 */
export function generateAnswer(
  context: Context,
  asked: AskedAnswer,
  emit: (event: ChatEvent) => void,
): Promise<void> {
  return inAnswerSpan((span) => generate(context, asked, emit, span));
}

interface AskedAnswer {
  readonly input: CheckedChatInput;
  readonly run: AnswerRun;
  readonly start: StartSlot;
}

async function generate(
  context: Context,
  { input, run, start }: AskedAnswer,
  emit: (event: ChatEvent) => void,
  span: Span | null,
): Promise<void> {
  const startedAt = performance.now();
  const begun = await beginTurn(context, input, run.isResumable);
  if (begun.turn === null) {
    emitReply(begun.reply, emit);
    return;
  }
  const { project, turn } = begun;
  const { conversationId, messageId } = turn;
  const { draft, record } = createAnswerDraft(emit);
  const isTraced = Math.random() < context.answerTraceShare;
  const answerTrace = isTraced ? createAnswerTrace(input.message, startedAt) : null;
  const readTrace = (outcome: Outcome) =>
    finishTrace({ ...context, answerTrace }, { ...draft, outcome });
  context.runningAnswers.register(
    run,
    { projectId: project.id, messageId },
    // If the process dies, this is the trace of an answer that failed.
    { draft, readTrace: () => readTrace({ status: 'FAILED', error: null }) },
  );
  let outcome: Outcome = { status: 'COMPLETED' };
  try {
    emit({ type: 'meta', conversationId, messageId });
    const inner = { ...context, claimedKey: null, answerTrace };
    const { message: question, history, filter } = input;
    await composeAnswer(inner, { project, turn, question, history, filter, start }, record);
  } catch (error) {
    outcome = outcomeOf(run, error);
  }
  span?.setAttributes({
    'grounded_chat.project.id': project.id,
    'grounded_chat.message.id': messageId,
    'grounded_chat.answer.status': outcome.status,
  });
  if (span !== null && outcome.status === 'FAILED') recordFailure(span, outcome.error);
  const latencyMs = Math.round(performance.now() - startedAt);
  const trace = readTrace(outcome);
  const answer = { project, turn, draft: { ...draft, latencyMs }, outcome, trace };
  const last = await finishAnswer(context, run, answer);
  if (last !== null) emit(last);
}

/** Answers small talk without retrieval. Answers all other messages from the documents. */
async function composeAnswer(
  installation: Context,
  input: Omit<Asked, 'turn' | 'history'> &
    Pick<CheckedChatInput, 'history'> & { readonly turn: InsertedTurn },
  record: RecordStep,
): Promise<void> {
  const { project, turn } = input;
  const context = withTrace(withProjectModel(installation, project), installation.answerTrace);
  const history =
    input.history?.slice(-maxHistoryMessages) ?? (await readHistory(context, project.id, turn));
  if (await answerSmallTalk(context, { ...input, history }, record)) return;
  await composeGroundedAnswer(context, { ...input, history }, record);
}

/** Emits a reply that was complete before generation: a holding message, or the stored answer of a repeated request. */
function emitReply(reply: ChatReply, emit: (event: ChatEvent) => void): void {
  const { conversationId, messageId, citations, confidence, content } = reply;
  emit({ type: 'meta', conversationId, messageId });
  emit({ type: 'sources', citations, confidence });
  emit({ type: 'delta', text: content });
  emit({ type: 'done', reply });
}
