import {
  type Api,
  ApiError,
  type Conversation,
  type ConversationSummary,
  errorCodeOf,
  isRefused,
  type Rating,
} from './api.ts';
import {
  type ChatItem,
  type ChatState,
  failureOf,
  hasUnsentMessage,
  isIdle,
  isUnverified,
  mergeMessages,
  phaseAfter,
  stoppableMessageId,
} from './chat-state.ts';
import { createChatStore } from './chat-store.ts';
import { createConversationWatcher } from './conversation-watcher.ts';
import {
  applyTeamConversations,
  isHandedOff,
  isWaiting,
  mergeConversations,
  withShownConversation,
} from './other-conversations.ts';
import { createTypingSignal } from './typing-signal.ts';
import type { VisitorStateStore } from './visitor-state-store.ts';

export interface Chat {
  readonly state: ChatState;
  onChange(listener: (state: ChatState) => void): void;
  /**
   * Authenticates the visitor and loads the conversation whose id is stored in the browser. Does nothing if the chat is
   * ready.
   */
  start(): Promise<void>;
  /**
   * Starts the chat if a conversation of the visitor waits for an agent's reply, or has a reply that the visitor has
   * not seen.
   */
  resumeIfWaiting(): void;
  send(message: string): Promise<void>;
  /** Signals to the agent who owns the conversation that the visitor is typing. */
  onInput(hasText: boolean): void;
  /** Sends a failed message again. */
  retry(item: ChatItem): void;
  /** Stops the answer that this page is receiving. The partial answer stays. */
  stop(): Promise<void>;
  rate(item: ChatItem, rating: Rating): Promise<void>;
  /** @throws ApiError when the handoff could not be requested. */
  requestHandoff(contact: Readonly<Record<string, string>>): Promise<void>;
  /** @throws ApiError when the rating of the agent could not be stored. */
  rateHandoff(rating: number, comment: string): Promise<void>;
  /** Closes the satisfaction question in this browser. */
  dismissSatisfaction(): void;
  startNewConversation(): void;
  /** Returns the visitor's conversations, latest message first. */
  listConversations(): Promise<readonly ConversationSummary[]>;
  /** Shows another conversation of the visitor. */
  openConversation(id: string): Promise<void>;
  /** Cancels all requests and updates. */
  dispose(): void;
}

export function createChat(
  api: Api,
  visit: VisitorStateStore,
  { isSignedIn }: { readonly isSignedIn: boolean },
): Chat {
  const store = createChatStore();
  const { change, addItem, changeItem, removeItem, itemByKey } = store;
  let pendingStart: Promise<void> | null = null;
  let answerController: AbortController | null = null;
  let isDisposed = false;

  const applyConversation = ({
    status,
    outOfHoursText,
    isTeamTyping = false,
    satisfaction,
    messages,
  }: Conversation) => {
    const items = mergeMessages(store.state.items, messages, store.nextKey);
    const isDismissed = satisfaction?.handoffId === visit.read().dismissedHandoffId;
    change({
      status,
      outOfHoursText,
      isTeamTyping,
      satisfaction: (!isDismissed && satisfaction) || null,
      items,
    });
    followUpdates();
  };
  /** Stores for all pages and tabs whether an agent may reply. Watches for updates if anything may change. */
  const followUpdates = () => {
    const { state } = store;
    const stored = visit.read();
    if (stored.conversationId === state.conversationId && stored.isWaiting !== isWaiting(state)) {
      visit.update({ isWaiting: isWaiting(state) });
    }
    if (!isIdle(state)) watch();
  };
  const watcher = createConversationWatcher(api, {
    onUpdate(update) {
      const { conversations } = store.state;
      const { teamConversations } = update;
      if (teamConversations !== undefined) {
        change({ conversations: applyTeamConversations(conversations, teamConversations) });
      }
      if (update.type === 'conversation') applyConversation(update);
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

  const typing = createTypingSignal(async (isTyping) => {
    const { conversationId, status } = store.state;
    if (conversationId === null || status !== 'HUMAN') return;
    await api.signalTyping(conversationId, isTyping);
  });

  /** Removes conversations that the visitor can no longer access. Their messages stay on the page. */
  const forget = (isForgotten: (id: string) => boolean) => {
    watcher.stop();
    const conversations = store.state.conversations.filter(({ id }) => !isForgotten(id));
    change({ conversationId: null, conversations });
    storeShown();
    followUpdates();
  };

  /** Switches to another conversation, or to none, before its messages are loaded. */
  const show = (conversationId: string | null) => {
    watcher.stop();
    const conversations = withShownConversation(store.state);
    change({ ...emptyConversation, conversationId, conversations });
  };
  /** Stores the id of the shown conversation for all tabs. */
  const storeShown = () => {
    const { state } = store;
    const { conversationId } = state;
    visit.update({ conversationId, isWaiting: isWaiting(state), latestMessageId: null });
  };

  /** A signed-in user's conversations belong to the user. An anonymous visitor's conversations belong to the token. */
  const startVisit = async () => {
    const { isKnown, teamHours = null } = await api.startVisit();
    change({ teamHours });
    if (!isKnown && !isSignedIn) forget(() => true);
    return isKnown;
  };

  const loadConversation = async () => {
    const isKnown = await startVisit();
    change({ conversationId: store.state.conversationId ?? visit.read().conversationId });
    const [[latest]] = await Promise.all([
      isKnown || isSignedIn ? listConversations() : [],
      loadShown(),
    ]);
    if (store.state.conversationId === null && isSignedIn && !isKnown && latest !== undefined) {
      change({ conversationId: latest.id });
      storeShown();
      await loadShown();
    }
    followUpdates();
  };

  const loadShown = async () => {
    const { conversationId } = store.state;
    if (conversationId === null) return;
    try {
      applyConversation(await api.getConversation(conversationId));
    } catch (error) {
      if (errorCodeOf(error) !== 'NOT_FOUND') throw error;
      forget((id) => id === conversationId);
    }
  };

  const listConversations = async () => {
    const listed = await api.listConversations();
    change({ conversations: mergeConversations(store.state.conversations, listed) });
    return listed;
  };

  const start = () => {
    if (store.state.phase === 'ready') return Promise.resolve();
    pendingStart ??= (async () => {
      change({ phase: 'starting' });
      try {
        await loadConversation();
        change({ phase: 'ready' });
      } catch (error) {
        change({ phase: phaseAfter(error) });
      } finally {
        pendingStart = null;
      }
    })();
    return pendingStart;
  };

  /**
   * Sends the message. If the token is no longer valid or the conversation was not found, sends the message once more
   * in a new conversation.
   */
  const requestAnswer = async (message: string, signal: AbortSignal) => {
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
      if (code === 'UNAUTHENTICATED') await startVisit();
      else forget((id) => id === store.state.conversationId);
      return send();
    }
  };

  const streamAnswer = async (question: ChatItem) => {
    answerController = new AbortController();
    const { signal } = answerController;
    let { key } = addItem({ role: 'ASSISTANT', content: '', state: 'waiting' });
    change({ answeringKey: key });
    let isStored = false;
    let isFinished = false;
    try {
      for await (const frame of await requestAnswer(question.content, signal)) {
        if (frame.type === 'meta') {
          isStored = true;
          const { conversationId, messageId: latestMessageId } = frame;
          const { status } = store.state;
          const isNew = status === null || status === 'RESOLVED';
          change({ conversationId, ...(isNew && { status: 'OPEN' }) });
          visit.update({ conversationId, isWaiting: isWaiting(store.state), latestMessageId });
          changeItem(question.key, { state: 'done' });
          // While an agent owns the conversation, each question gets the same stored holding message, or the agent's
          // reply instead. So the item of this message may already exist.
          const known = store.state.items.find(({ id }) => id === frame.messageId);
          if (known !== undefined && known.key !== key) {
            removeItem(key);
            key = known.key;
            change({ answeringKey: key });
          } else changeItem(key, { id: frame.messageId });
        } else if (frame.type === 'delta') {
          const item = itemByKey(key);
          // An empty text only keeps the stream open.
          if (frame.text === '') continue;
          // Skip the token if the conversation watcher has already completed the answer.
          if (item?.state !== 'waiting' && item?.state !== 'streaming') continue;
          changeItem(key, { state: 'streaming', content: item.content + frame.text });
        } else if (frame.type === 'done') {
          isFinished = true;
          const { content, citations } = frame;
          const role = store.state.status === 'HUMAN' ? 'SYSTEM' : 'ASSISTANT';
          if (itemByKey(key)?.role !== 'AGENT')
            changeItem(key, { state: 'done', role, content, citations });
          if (isHandedOff(frame.conversationStatus)) watch();
        } else {
          isFinished = true;
          changeItem(key, { state: 'failed', failure: 'interrupted' });
        }
      }
      if (!isFinished) throw new ApiError('OFFLINE');
    } catch (error) {
      if (isStored) {
        if (itemByKey(key)?.state === 'streaming') changeItem(key, { state: 'waiting' });
        watch();
      } else {
        removeItem(key);
        changeItem(question.key, { state: 'failed', failure: failureOf(error) });
        if (isRefused(error) || isUnverified(error)) change({ phase: phaseAfter(error) });
      }
    } finally {
      change({ answeringKey: null });
      followOtherTab();
    }
  };

  /** Shows the conversation and the messages of the tab in which the visitor wrote the latest message. */
  const followOtherTab = () => {
    const { state } = store;
    const stored = visit.read();
    if (state.phase !== 'ready') {
      if (stored.isWaiting && state.phase !== 'refused' && state.phase !== 'unverified')
        void start();
    } else if (state.answeringKey !== null || hasUnsentMessage(state)) return;
    else if (stored.conversationId === state.conversationId) {
      const { latestMessageId: latest } = stored;
      const isComplete = latest === null || state.items.some(({ id }) => id === latest);
      if (!isComplete || stored.isWaiting !== isWaiting(state)) watch();
    } else {
      show(stored.conversationId);
      watch();
    }
  };
  visit.onOtherTab(followOtherTab);

  return {
    get state() {
      return store.state;
    },
    onChange: store.onChange,
    start,
    resumeIfWaiting() {
      const { isWaiting, hasUnseen } = visit.read();
      if (isWaiting || hasUnseen) void start();
    },
    onInput: typing.onInput,
    send(message) {
      typing.stop();
      const content = message.normalize('NFC');
      return streamAnswer(addItem({ role: 'USER', content, state: 'waiting' }));
    },
    retry(item) {
      changeItem(item.key, { state: 'waiting', failure: null });
      void streamAnswer(item);
    },
    async stop() {
      const id = stoppableMessageId(store.state);
      if (id === null) return;
      const stoppedController = answerController;
      await api.stop(id);
      // Abort the answer stream later, in case the connection is dead. The conversation watcher then loads the stored
      // partial answer.
      setTimeout(() => stoppedController?.abort(), stopTimeoutMs);
    },
    async rate({ key, id, rating: before }, rating) {
      if (id === null) return;
      changeItem(key, { rating });
      await api.rate(id, rating).catch(() => changeItem(key, { rating: before }));
    },
    async requestHandoff(contact) {
      const { conversationId } = store.state;
      if (conversationId === null) throw new ApiError('NOT_FOUND');
      const conversation = await api.requestHandoff(contact, conversationId);
      if (store.state.conversationId !== conversationId) return;
      visit.update({ conversationId });
      applyConversation(conversation);
    },
    async rateHandoff(rating, comment) {
      const handoffId = store.state.satisfaction?.handoffId;
      if (handoffId === undefined) return;
      const satisfaction = await api.rateHandoff(handoffId, rating, comment);
      if (store.state.satisfaction?.handoffId === handoffId) change({ satisfaction });
    },
    dismissSatisfaction() {
      visit.update({ dismissedHandoffId: store.state.satisfaction?.handoffId ?? null });
      change({ satisfaction: null });
    },
    startNewConversation() {
      show(null);
      storeShown();
      followUpdates();
    },
    listConversations,
    async openConversation(id) {
      show(id);
      storeShown();
      const conversation = await api.getConversation(id);
      if (store.state.conversationId === id) applyConversation(conversation);
    },
    dispose() {
      isDisposed = true;
      watcher.stop();
      answerController?.abort();
      store.onChange(() => {});
    },
  };
}

const emptyConversation = {
  items: [],
  status: null,
  outOfHoursText: null,
  isTeamTyping: false,
  satisfaction: null,
} as const;

/** How long the answer stream may stay open after a stop request. */
const stopTimeoutMs = 2_000;
