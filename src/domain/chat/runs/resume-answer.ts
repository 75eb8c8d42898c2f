import { lostAccessReason, notFound } from '../../../platform/errors.ts';
import { isId } from '../../../platform/ids.ts';
import { sleep } from '../../../platform/wait.ts';
import type { Context } from '../../context.ts';
import { requireProject } from '../../organizations/require-project.ts';
import { readWhileAuthorized } from '../../subscriptions/read-while-authorized.ts';
import { reauthorizeSubscription } from '../../subscriptions/reauthorize-subscription.ts';
import type { ChatEvent } from '../chat-event.ts';
import { eventPageSize, findAnswerStream, type StoredAnswerEvents } from './answer-events.ts';
import { failIfLeaseExpired, leaseExpiredError } from './expired-answer-lease.ts';
import { ownAnswersOnly } from './own-answers.ts';
import type { AnswerRef } from './running-answers.ts';

export interface ResumeAnswerInput {
  readonly projectId?: string | null;
  readonly messageId: string;
  /** The `seq` of the last event that the client has received. If null or undefined, all events are returned. */
  readonly after?: number | null;
}

/**
 * Streams a resumable answer: the stored events after `after`, then new events until the answer finishes. Also works if
 * another process generates the answer. If the service stops first, the stream closes without a final event.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when there is no such answer, or the answer finished more than ten minutes ago. Also
 *   when the answer was requested by another API key and the calling key may not read conversations.
 */
export async function resumeAnswer(
  context: Context,
  input: ResumeAnswerInput,
): Promise<AsyncGenerator<ChatEvent, void, undefined>> {
  const project = await requireProject(context, input.projectId, 'chat');
  const askedByKey = ownAnswersOnly(context.caller);
  const answerRef = { projectId: project.id, messageId: input.messageId, askedByKey };
  const after = input.after ?? -1;
  // Only the database knows which key requested the answer.
  const run = askedByKey === null ? context.runningAnswers.find(answerRef) : null;
  const authorize = () => reauthorizeSubscription(context, project.id, 'chat');
  if (run?.isResumable) {
    return readWhileAuthorized(context, authorize, (signal) => run.read(after + 1, signal));
  }
  const stream = isId(answerRef.messageId)
    ? await findAnswerStream(context, answerRef, after)
    : null;
  if (stream === null || stream.isResumeExpired) throw notFound('Stream');
  return readWhileAuthorized(context, authorize, (signal) =>
    streamStoredEvents({ ...context, signal }, answerRef, after, stream),
  );
}

const pollIntervalMs = 200;

async function* streamStoredEvents(
  context: Context,
  answerRef: AnswerRef & { readonly askedByKey: string | null },
  after: number,
  first: StoredAnswerEvents,
): AsyncGenerator<ChatEvent, void, undefined> {
  let seq = after;
  let stream: StoredAnswerEvents | null = first;
  while (stream !== null) {
    yield* stream.events;
    seq += stream.events.length;
    if (stream.events.length < eventPageSize) {
      if (stream.isFinished) {
        if (!stream.hasTerminalEvent) yield leaseExpiredEvent();
        return;
      }
      if (stream.isLeaseExpired) await failIfLeaseExpired(context, answerRef);
      else await sleep(pollIntervalMs, context.signal);
      const denied = lostAccessReason(context.signal);
      if (denied !== null) throw denied;
      if (context.signal.aborted) return;
    }
    stream = await findAnswerStream(context, answerRef, seq);
  }
  throw notFound('Stream');
}

function leaseExpiredEvent(): ChatEvent {
  const { message, code, retryable } = leaseExpiredError();
  return { type: 'error', message, code, retryable };
}
