import type { Api, Conversation } from './api.ts';
import { errorCodeOf } from './api-error.ts';
import { type ChatState, isIdle, mergeMessages } from './chat-state.ts';
import type { ChatStore } from './chat-store.ts';
import { createConversationWatcher } from './conversation-watcher.ts';
import { applyTeamConversations, isWaiting, withShownConversation } from './other-conversations.ts';
import type { VisitorStateStore } from './visitor-state-store.ts';

export type ShownConversation = ReturnType<typeof createShownConversation>;

/**
 * Creates the state of the conversation that this page shows. It receives updates of this conversation, and of all
 * conversations with the team.
 */
export function createShownConversation(
  api: Pick<Api, 'getConversation' | 'watch'>,
  visit: VisitorStateStore,
  store: ChatStore,
) {
  const { change } = store;
  let isDisposed = false;

  /** Shows the new state of the conversation. */
  const apply = (conversation: Conversation) => {
    const items = mergeMessages(store.state.items, conversation.messages, store.nextKey);
    change({ items, ...stateOf(conversation, visit.read().dismissedHandoffId) });
    followUpdates();
  };
  /** Stores for all pages and tabs whether an agent may reply. Watches for updates if anything may change. */
  const followUpdates = () => {
    storeIsWaiting(visit, store.state);
    if (!isIdle(store.state)) watch();
  };
  const watcher = createConversationWatcher(api, {
    onUpdate(update) {
      const { conversations } = store.state;
      const { teamConversations } = update;
      if (teamConversations !== undefined) {
        change({ conversations: applyTeamConversations(conversations, teamConversations) });
      }
      if (update.type === 'conversation') apply(update);
      else followUpdates();
      return !isIdle(store.state);
    },
    onInterruption: () => store.state.isTeamTyping && change({ isTeamTyping: false }),
  });
  const watch = () => {
    const { state } = store;
    const hasTarget = state.conversationId !== null || isWaiting(state);
    if (hasTarget && !isDisposed) watcher.start(state.conversationId);
  };
  /** Stores the id of the conversation for all tabs. */
  const storeId = () => {
    const { conversationId } = store.state;
    visit.update({ conversationId, isWaiting: isWaiting(store.state), latestMessageId: null });
  };
  /** Removes conversations that the visitor can no longer access. Their messages stay on the page. */
  const forget = (isForgotten: (id: string) => boolean) => {
    watcher.stop();
    const conversations = store.state.conversations.filter(({ id }) => !isForgotten(id));
    change({ conversationId: null, conversations });
    storeId();
    followUpdates();
  };
  return {
    ...{ apply, followUpdates, watch, storeId, forget },
    /** Loads the messages. Forgets the conversation if the visitor can no longer access it. */
    async load() {
      const { conversationId } = store.state;
      if (conversationId === null) return;
      try {
        apply(await api.getConversation(conversationId));
      } catch (error) {
        if (errorCodeOf(error) !== 'NOT_FOUND') throw error;
        forget((id) => id === conversationId);
      }
    },
    /** Switches to another conversation, or to none, before its messages are loaded. */
    switchTo(conversationId: string | null) {
      watcher.stop();
      const conversations = withShownConversation(store.state);
      change({ ...emptyConversation, conversationId, conversations });
    },
    dispose() {
      isDisposed = true;
      watcher.stop();
    },
  };
}

function stateOf(
  { status, outOfHoursText, isTeamTyping = false, satisfaction }: Conversation,
  dismissedHandoffId: string | null,
) {
  const isDismissed = satisfaction?.handoffId === dismissedHandoffId;
  const shownSatisfaction = (!isDismissed && satisfaction) || null;
  return { status, outOfHoursText, isTeamTyping, satisfaction: shownSatisfaction };
}

function storeIsWaiting(visit: VisitorStateStore, state: ChatState): void {
  const stored = visit.read();
  if (stored.conversationId === state.conversationId && stored.isWaiting !== isWaiting(state)) {
    visit.update({ isWaiting: isWaiting(state) });
  }
}

const emptyConversation = {
  items: [],
  status: null,
  outOfHoursText: null,
  isTeamTyping: false,
  satisfaction: null,
} as const;
