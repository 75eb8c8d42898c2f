import type { Api, ConversationSummary } from './api.ts';
import { phaseAfter } from './chat-state.ts';
import type { ChatStore } from './chat-store.ts';
import { mergeConversations } from './other-conversations.ts';
import type { ShownConversation } from './shown-conversation.ts';
import type { VisitorStateStore } from './visitor-state-store.ts';

export interface VisitLoader {
  /**
   * Authenticates the visitor and loads the conversation whose id is stored in the browser. Does nothing if the chat is
   * ready.
   */
  start(): Promise<void>;
  /** Authenticates the visitor. Returns false if the visitor is new to the service. */
  authenticate(): Promise<boolean>;
  /** Returns the visitor's conversations, latest message first. */
  listConversations(): Promise<readonly ConversationSummary[]>;
}

export function createVisitLoader(
  api: Pick<Api, 'startVisit' | 'listConversations'>,
  visit: VisitorStateStore,
  store: ChatStore,
  shown: ShownConversation,
  { isSignedIn }: { readonly isSignedIn: boolean },
): VisitLoader {
  const { change } = store;
  let pendingStart: Promise<void> | null = null;

  /** A signed-in user's conversations belong to the user. An anonymous visitor's conversations belong to the token. */
  const authenticate = async () => {
    const { isKnown, teamHours = null } = await api.startVisit();
    change({ teamHours });
    if (!isKnown && !isSignedIn) shown.forget(() => true);
    return isKnown;
  };
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
  return {
    start() {
      if (store.state.phase === 'ready') return Promise.resolve();
      pendingStart ??= startOnce();
      return pendingStart;
    },
    authenticate,
    listConversations,
  };
}
