import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { isId } from '../ids.ts';
import { requireProject } from '../organizations/require-project.ts';
import { pageSize, readStream, type StoredStream } from './answer-events.ts';
import type { ChatEvent } from './chat-event.ts';
import { closeForsaken, forsakenAnswer } from './forsaken-answer.ts';
import type { AnswerPlace } from './running-answers.ts';

export interface FollowInput {
  readonly projectId?: string | null;
  readonly messageId: string;
  /** The `seq` of the last event that is known already; left out for none. */
  readonly after?: number | null;
}

/**
 * The events of a resumable answer behind the one that is known, then those to come, to the last, from whichever
 * process generates it. Where the service stops first, they end early without a last event.
 * Throws what `requireProject` throws, and `NOT_FOUND` where there is no such answer or it ended ten minutes ago.
 */
export async function resumeAnswer(
  context: Context,
  input: FollowInput,
): Promise<AsyncGenerator<ChatEvent, void, undefined>> {
  const project = await requireProject(context, input.projectId, 'chat');
  const place = { projectId: project.id, messageId: input.messageId };
  const after = input.after ?? -1;
  const run = context.runningAnswers.find(place);
  if (run?.isResumable) return run.read(after + 1, context.signal);
  const stream = isId(place.messageId) ? await readStream(context, place, after) : null;
  if (stream === null || stream.isOver) throw notFound('Stream');
  return followStored(context, place, after, stream);
}

const pollMs = 200;

async function* followStored(
  context: Context,
  place: AnswerPlace,
  after: number,
  first: StoredStream,
): AsyncGenerator<ChatEvent, void, undefined> {
  let seq = after;
  let stream: StoredStream | null = first;
  while (stream !== null) {
    yield* stream.events;
    seq += stream.events.length;
    if (stream.events.length < pageSize) {
      if (stream.isEnded) {
        if (!stream.isWhole) yield brokenOff();
        return;
      }
      if (stream.isForsaken) await closeForsaken(context, place);
      else await delay(pollMs, undefined, { signal: context.signal }).catch(() => {});
      if (context.signal.aborted) return;
    }
    stream = await readStream(context, place, seq);
  }
  throw notFound('Stream');
}

function brokenOff(): ChatEvent {
  const { message, code, retryable } = forsakenAnswer();
  return { type: 'error', message, code, retryable };
}
