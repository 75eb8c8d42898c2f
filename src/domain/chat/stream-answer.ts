import { tenantOf } from '../caller-tenant.ts';
import type { Context } from '../context.ts';
import { parseFilter } from '../knowledge/filter/parse-filter.ts';
import { readWhileAuthorized } from '../subscriptions/read-while-authorized.ts';
import { reauthorizeSubscription } from '../subscriptions/reauthorize-subscription.ts';
import type { ChatEvent } from './chat-event.ts';
import type { ChatInput, CheckedChatInput } from './chat-input.ts';
import { generateAnswer } from './generate-answer.ts';
import type { AnswerRun } from './runs/answer-run.ts';
import type { StartSlot } from './runs/answer-starts.ts';

/**
 * Answers one message of an end user from the project's knowledge. The message and the generated text are always
 * stored. Starts a run, in which `generateAnswer` produces the events, and returns a reader of these events.
 *
 * The final status is `COMPLETED`, `FAILED` or `STOPPED`. `stopAnswer` sets an answer to `STOPPED`. An answer that is
 * not resumable also becomes `STOPPED` if the consumer returns or the context's signal aborts. If generation fails
 * after the first event, readers receive an `error` event. While an agent owns the conversation, the answer is the
 * project's holding message or out-of-hours message. Start to read immediately, because nothing aborts a run without a
 * reader.
 *
 * @throws DomainError from `parseFilter` and `AnswerStarts.admit`.
 * @throws DomainError UNAVAILABLE when too many resumable answers are running.
 *
 * If the answer cannot start, the first call of `next` throws:
 * @throws DomainError from `requireProject`.
 * @throws DomainError UNAVAILABLE when the disk is full.
 * @throws DomainError NOT_FOUND when the conversation does not exist in the project.
 * @throws DomainError QUOTA_EXCEEDED when the allowance is used up.
 */
export async function streamAnswer(
  context: Context,
  input: ChatInput,
): Promise<AsyncGenerator<ChatEvent, void, undefined>> {
  const filter = parseFilter(input.filter);
  const { answerStarts, caller, signal, receivedAt } = context;
  const start = await answerStarts.admit(tenantOf(caller), signal, receivedAt);
  const run = startRun(context, { ...input, filter }, start);
  const authorize = () => reauthorizeSubscription(context, input.projectId, 'chat');
  return readWhileAuthorized(context, authorize, (signal) => run.read(0, signal));
}

function startRun(context: Context, input: CheckedChatInput, start: StartSlot): AnswerRun {
  try {
    const run = context.runningAnswers.start(input.resumable ?? false, (run, emit) =>
      generateAnswer({ ...context, signal: run.signal }, { input, run, start }, emit),
    );
    void run.finished.then(() => start[Symbol.dispose]());
    return run;
  } catch (error) {
    start[Symbol.dispose]();
    throw error;
  }
}
