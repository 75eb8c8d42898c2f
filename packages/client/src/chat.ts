import type { StreamOptions } from './answer-connection.ts';
import { callOperation } from './call-operation.ts';
import { type ChatStream, streamAnswer } from './chat-stream.ts';
import type { Body, Result } from './routes.ts';
import type { Access, CallOptions } from './send-request.ts';

/** A message of an end user. */
export type ChatMessage = Omit<Body<'sendMessage'>, 'stream'>;

export interface Chat {
  /**
   * Sends a message and returns the complete answer. It is read as a stream, so that a cut connection does not ask twice.
   */
  (message: ChatMessage, options?: StreamOptions): Promise<Result<'sendMessage'>>;
  /**
   * Sends a message and streams the answer. A cut connection is resumed, without a lost or repeated character. If you
   * leave the stream early, the answer is stopped. With `resumable: true` it continues, and `resume` reads the rest.
   */
  stream(message: ChatMessage, options?: StreamOptions): ChatStream;
  /** Streams an answer again, after the event with the `seq` in `after`, or from its start. */
  resume(messageId: string, options?: StreamOptions & { readonly after?: number }): ChatStream;
  /** Stops an answer. Its partial text is stored. */
  stop(messageId: string, options?: CallOptions): Promise<Result<'stopAnswer'>>;
}

export function createChat(access: Access): Chat {
  const stream = (body: ChatMessage, options: StreamOptions = {}) =>
    streamAnswer(access, { type: 'send', body }, options);
  const chat = (body: ChatMessage, options?: StreamOptions) => stream(body, options).result();
  return Object.assign(chat, {
    stream,
    resume: (
      messageId: string,
      { after = -1, ...options }: StreamOptions & { readonly after?: number } = {},
    ) => streamAnswer(access, { type: 'resume', messageId, after }, options),
    stop: (messageId: string, options?: CallOptions) =>
      callOperation(access, 'stopAnswer', { ids: [messageId] }, options),
  });
}
