import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { answer, type ChatInput } from './answer.ts';
import type { ChatReply } from './chat-event.ts';

/**
 * Asks and waits for the whole answer. Throws what `answer` throws, or tells as an `error` event, and the
 * signal's reason when the caller has left.
 */
export async function sendMessage(context: Context, input: ChatInput): Promise<ChatReply> {
  for await (const event of answer(context, input)) {
    if (event.type === 'done') return event.reply;
    if (event.type === 'error') {
      throw new DomainError(event.code, event.message, { retryable: event.retryable });
    }
  }
  context.signal.throwIfAborted();
  throw new DomainError('INTERNAL', 'The answer ended without a result');
}
