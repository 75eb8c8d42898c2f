import type { Api } from './api.ts';
import { ApiError, errorCodeOf } from './api-error.ts';
import { phaseAfter } from './chat-state.ts';
import type { ChatStore } from './chat-store.ts';
import { mergeConversations } from './other-conversations.ts';
import type { ShownConversation } from './shown-conversation.ts';
import type { VisitorStateStore } from './visitor-state-store.ts';

/** The visitor's authentication by the service, and the requests that need it. */
export function createVisitorSession(
  api: Pick<Api, 'startVisit' | 'listConversations' | 'send'>,
  visit: VisitorStateStore,
  store: ChatStore,
  shown: ShownConversation,
  { isSignedIn }: { readonly isSignedIn: boolean },
) {
  const { change } = store;
  let pendingStart: Promise<void> | null = null;

  /** A signed-in user's conversations belong to the user. An anonymous visitor's conversations belong to the token. */
  const authenticate = async () => {
    const { isKnown, teamHours = null, aiNotice = null } = await api.startVisit();
    change({ teamHours, aiNotice });
    if (!isKnown && !isSignedIn) shown.forget(() => true);
    return isKnown;
  };
  /** Returns the visitor's conversations, latest message first. */
  const listConversations = async () => {
    const listed = await api.listConversations();
    change({ conversations: mergeConversations(store.state.conversations, listed) });
    return listed;
  };
  const load = async () => {
    const isKnown = await authenticate();
    change({ conversationId: store.state.conversationId ?? visit.read().conversationId });
    const [[latest]] = await Promise.all([
      isKnown || isSignedIn ? listConversations() : [],
      shown.load(),
    ]);
    if (store.state.conversationId === null && isSignedIn && !isKnown && latest !== undefined) {
      change({ conversationId: latest.id });
      shown.storeId();
      await shown.load();
    }
    shown.followUpdates();
  };
  const startOnce = async () => {
    change({ phase: 'starting' });
    try {
      await load();
      change({ phase: 'ready' });
    } catch (error) {
      change({ phase: phaseAfter(error) });
    } finally {
      pendingStart = null;
    }
  };
  /** Authenticates the visitor and loads the stored conversation, unless the chat is ready. */
  const start = () => {
    if (store.state.phase === 'ready') return Promise.resolve();
    pendingStart ??= startOnce();
    return pendingStart;
  };
  return {
    start,
    listConversations,
    /**
     * Sends the message. If the token is no longer valid or the conversation was not found, sends the message once more
     * in a new conversation.
     */
    async requestAnswer(message: string, signal: AbortSignal) {
      await start();
      if (store.state.phase === 'refused') throw new ApiError('REFUSED');
      if (store.state.phase === 'unverified') throw new ApiError('UNAUTHENTICATED');
      signal.throwIfAborted();
      const send = () => api.send(message, store.state.conversationId, signal);
      try {
        return await send();
      } catch (error) {
        const code = errorCodeOf(error);
        if (code !== 'UNAUTHENTICATED' && code !== 'NOT_FOUND') throw error;
        if (code === 'UNAUTHENTICATED') await authenticate();
        else shown.forget((id) => id === store.state.conversationId);
        return send();
      }
    },
  };
}
