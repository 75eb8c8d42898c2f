import type { Api, ChatFrame } from './api.ts';
import { ApiError, errorCodeOf } from './api-error.ts';
import type { ChatStore } from './chat-store.ts';
import type { ShownConversation } from './shown-conversation.ts';
import type { VisitLoader } from './visit-loader.ts';

/**
 * Sends the message. If the token is no longer valid or the conversation was not found, sends the message once more in
 * a new conversation.
 */
export async function requestAnswer(
  api: Pick<Api, 'send'>,
  store: ChatStore,
  shown: ShownConversation,
  loader: VisitLoader,
  message: string,
  signal: AbortSignal,
): Promise<AsyncIterable<ChatFrame>> {
  await loader.start();
  if (store.state.phase === 'refused') throw new ApiError('REFUSED');
  if (store.state.phase === 'unverified') throw new ApiError('UNAUTHENTICATED');
  signal.throwIfAborted();
  const send = () => api.send(message, store.state.conversationId, signal);
  try {
    return await send();
  } catch (error) {
    const code = errorCodeOf(error);
    if (code !== 'UNAUTHENTICATED' && code !== 'NOT_FOUND') throw error;
    if (code === 'UNAUTHENTICATED') await loader.authenticate();
    else shown.forget((id) => id === store.state.conversationId);
    return send();
  }
}
