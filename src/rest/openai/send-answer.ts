import { toDomainError } from '../../http/errors.ts';
import { sendJson } from '../../http/exchange.ts';
import { keepAliveComment, startKeepAlive } from '../../http/keep-alive.ts';
import { endWithBackpressure, writeWithBackpressure } from '../../http/send-events.ts';
import { readChatDelta } from '../chat/chat-response.ts';
import { executeGraphql, subscribeGraphql } from '../graphql/execute-graphql.ts';
import type { RestCall } from '../request/rest-call.ts';
import {
  type AnswerEvent,
  type AnswerFormat,
  askMutation,
  askSubscription,
} from './answer-format.ts';
import type { AskedQuestion } from './request-fields.ts';

/** Variables of `askMutation` and `askSubscription`. */
export interface AskInput extends Pick<AskedQuestion, 'message'> {
  readonly projectId: string;
  readonly conversationId: string | undefined;
  readonly endUserId: string | undefined;
  readonly filter: { readonly [field: string]: unknown } | undefined;
  /** Undefined if the question belongs to a stored conversation. */
  readonly history: AskedQuestion['history'] | undefined;
}

/** Answers a question as one JSON body. */
export async function sendAnswer(call: RestCall, input: AskInput, format: AnswerFormat) {
  const { sendMessage } = await executeGraphql(call, askMutation, { input });
  sendJson(call.response, 200, format.body(sendMessage));
}

/**
 * Answers a question as server-sent events. If an error occurs before the first event, throws it. If the client
 * disconnects, the answer is stopped.
 */
export async function streamAnswer(call: RestCall, input: AskInput, { stream }: AnswerFormat) {
  const { response, context, stallTimeoutMs } = call;
  const client = { response, stallTimeoutMs, log: context.log };
  const events = await subscribeGraphql(call, askSubscription, { input }, readDelta);
  using _keepAlive = startKeepAlive(response, () => keepAliveComment);
  try {
    let next = await events.next();
    response.writeHead(200, streamHeaders);
    while (!next.done && !response.destroyed) {
      await writeWithBackpressure(client, formatEvent(stream, next.value.chat));
      next = await events.next();
    }
  } catch (error) {
    if (!response.headersSent || response.destroyed) throw error;
    const shown = toDomainError(error);
    if (shown.code === 'INTERNAL') context.log.error({ err: error }, 'stream failed');
    await writeWithBackpressure(client, stream.error(shown));
  } finally {
    await events.return?.();
  }
  await endWithBackpressure(client);
}

const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

function readDelta(event: unknown): { chat: AnswerEvent } | null {
  const delta = readChatDelta(event);
  return delta === null || delta.__typename === 'ChatDone' ? null : { chat: delta };
}

function formatEvent(stream: AnswerFormat['stream'], event: AnswerEvent): string {
  switch (event.__typename) {
    case 'ChatMeta':
      return stream.start(event);
    case 'ChatSources':
      return '';
    case 'ChatDelta':
      return stream.delta(event.text);
    case 'ChatDone':
      return stream.done(event.reply);
    case 'ChatError':
      return stream.error(event);
  }
}
