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
  isHandedOff,
  isIdle,
  isUnverified,
  mergeMessages,
  phaseAfter,
  stoppableMessageId,
} from './chat-state.ts';
import { createChatStore } from './chat-store.ts';
import { createConversationWatcher } from './conversation-watcher.ts';
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
  /** Starts the chat if the stored conversation is waiting for a reply of an agent. */
  resumeIfWaiting(): void;
  send(message: string): Promise<void>;
  /** Signals to the agent who owns the conversation that the visitor types. */
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
  /** Closes the question for satisfaction in this browser. */
  dismissSatisfaction(): void;
  startNewConversation(): void;
  /** Returns the visitor's conversations, latest message first. */
  listConversations(): Promise<readonly ConversationSummary[]>;
  /** Shows another conversation of the visitor. */
  openConversation(id: string): Promise<void>;
  /** Ends all requests and updates. */
  dispose(): void;
}

export function createChat(
  api: Api,
  visit: VisitorStateStore,
  { isSignedIn }: { readonly isSignedIn: boolean },
): Chat {
  const store = createChatStore();
  const { change, addItem, changeItem, removeItem, itemByKey } = store;
  /**
   * Id of the conversation in this tab. The stored id, which all tabs share, may differ until this tab's answer is complete.
   */
  let conversationId: string | null = null;
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
    const stored = visit.read();
    if (stored.conversationId === conversationId && stored.isWaiting !== isHandedOff(status)) {
      visit.update({ isWaiting: isHandedOff(status) });
    }
    const isDismissed = satisfaction?.handoffId === stored.dismissedHandoffId;
    change({
      status,
      outOfHoursText,
      isTeamTyping,
      satisfaction: (!isDismissed && satisfaction) || null,
      items,
    });
    if (!isIdle(store.state)) watch();
  };
  const watcher = createConversationWatcher(api, {
    onUpdate(conversation) {
      applyConversation(conversation);
      return !isIdle(store.state);
    },
    onInterruption: () => store.state.isTeamTyping && change({ isTeamTyping: false }),
  });
  const watch = () => {
    if (conversationId !== null && !isDisposed) watcher.start(conversationId);
  };

  const typing = createTypingSignal(async (isTyping) => {
    if (conversationId === null || store.state.status !== 'HUMAN') return;
    await api.signalTyping(conversationId, isTyping);
  });

  const clearConversation = () => {
    watcher.stop();
    conversationId = null;
    visit.update({ conversationId, isWaiting: false, latestMessageId: null, seenPosition: 0 });
  };

  /** Conversations of a signed-in user belong to the user, those of an anonymous visitor to the token. */
  const startVisit = async () => {
    const isKnown = await api.startVisit();
    if (!isKnown && !isSignedIn) clearConversation();
    return isKnown;
  };

  const loadConversation = async () => {
    const isKnown = await startVisit();
    conversationId ??= visit.read().conversationId;
    if (conversationId === null && isSignedIn && !isKnown) {
      conversationId = (await api.listConversations())[0]?.id ?? null;
      visit.update({ conversationId });
    }
    if (conversationId === null) return;
    try {
      applyConversation(await api.getConversation(conversationId));
    } catch (error) {
      if (errorCodeOf(error) !== 'NOT_FOUND') throw error;
      clearConversation();
    }
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
   * Sends the message. If the token has become invalid or the conversation was not found, sends the message once more
   * in a new conversation.
   */
  const requestAnswer = async (message: string, signal: AbortSignal) => {
    await start();
    if (store.state.phase === 'refused') throw new ApiError('REFUSED');
    if (store.state.phase === 'unverified') throw new ApiError('UNAUTHENTICATED');
    signal.throwIfAborted();
    try {
      return await api.send(message, conversationId, signal);
    } catch (error) {
      const code = errorCodeOf(error);
      if (code !== 'UNAUTHENTICATED' && code !== 'NOT_FOUND') throw error;
      if (code === 'UNAUTHENTICATED') await startVisit();
      else clearConversation();
      return api.send(message, conversationId, signal);
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
          conversationId = frame.conversationId;
          const { status } = store.state;
          if (status === null || status === 'RESOLVED') change({ status: 'OPEN' });
          const latestMessageId = frame.messageId;
          visit.update({ conversationId, isWaiting: isHandedOff(status), latestMessageId });
          changeItem(question.key, { state: 'done' });
          // While an agent owns the conversation, each question gets the same stored holding message, or the agent's
          // reply in its place, so its item may already exist.
          const known = store.state.items.find(({ id }) => id === frame.messageId);
          if (known !== undefined && known.key !== key) {
            removeItem(key);
            key = known.key;
            change({ answeringKey: key });
          } else changeItem(key, { id: frame.messageId });
        } else if (frame.type === 'delta') {
          const item = itemByKey(key);
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

  /** Shows the conversation and the messages of the tab in which the visitor wrote last. */
  const followOtherTab = () => {
    const { state } = store;
    const stored = visit.read();
    if (state.phase !== 'ready') {
      if (stored.isWaiting && state.phase !== 'refused' && state.phase !== 'unverified')
        void start();
    } else if (state.answeringKey !== null || hasUnsentMessage(state)) return;
    else if (stored.conversationId === conversationId) {
      const { latestMessageId: latest, isWaiting } = stored;
      const isComplete = latest === null || state.items.some(({ id }) => id === latest);
      if (!isComplete || isWaiting !== isHandedOff(state.status)) watch();
    } else {
      watcher.stop();
      ({ conversationId } = stored);
      change(emptyConversation);
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
      if (visit.read().isWaiting) void start();
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
      if (conversationId === null) throw new ApiError('NOT_FOUND');
      const id = conversationId;
      const conversation = await api.requestHandoff(contact, id);
      if (conversationId !== id) return;
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
      clearConversation();
      change(emptyConversation);
    },
    listConversations: api.listConversations,
    async openConversation(id) {
      clearConversation();
      conversationId = id;
      visit.update({ conversationId });
      change(emptyConversation);
      const conversation = await api.getConversation(id);
      if (conversationId === id) applyConversation(conversation);
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
