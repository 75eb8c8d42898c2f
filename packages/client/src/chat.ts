import type { StreamOptions } from './answer-connection.ts';
import { callOperation } from './call-operation.ts';
import { type ChatStream, streamAnswer } from './chat-stream.ts';
import type { Body, Result } from './routes.ts';
import type { Access, CallOptions } from './send-request.ts';

/** A message of an end user. */
export type ChatMessage = Omit<Body<'sendMessage'>, 'stream'>;

export interface Chat {
  /**
   * Sends a message and returns the complete answer. Reads the answer as a stream, so that the question is not asked
   * again after a cut connection.
   */
  (message: ChatMessage, options?: StreamOptions): Promise<Result<'sendMessage'>>;
  /**
   * Sends a message and streams the answer. After a cut connection, the stream resumes without a lost or repeated
   * character. If you leave the stream early, the answer is stopped. With `resumable: true`, the answer continues, and
   * `resume` reads the rest.
   */
  stream(message: ChatMessage, options?: StreamOptions): ChatStream;
  /** Streams an answer again: from its start, or after the event whose `seq` is `after`. */
  resume(messageId: string, options?: StreamOptions & { readonly after?: number }): ChatStream;
  /** Stops an answer. The service stores the partial text. */
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
