import { DomainError } from '../../platform/errors.ts';
import type { Context } from '../context.ts';
import type { ChatReply } from './chat-event.ts';
import type { ChatInput } from './chat-input.ts';
import { streamAnswer } from './stream-answer.ts';

/**
 * Sends a message and waits for the complete answer.
 *
 * @throws DomainError from `streamAnswer`, whether thrown or emitted as an `error` event.
 * @throws the signal's reason when the caller disconnects.
 */
export async function sendMessage(context: Context, input: ChatInput): Promise<ChatReply> {
  for await (const event of await streamAnswer(context, input)) {
    if (event.type === 'done') return event.reply;
    if (event.type === 'error') {
      throw new DomainError(event.code, event.message, { retryable: event.retryable });
    }
  }
  context.signal.throwIfAborted();
  throw new DomainError('INTERNAL', 'The answer stream closed without a result');
}
