import { createAnswerReceiver } from './answer-receiver.ts';
import type { Api, Rating } from './api.ts';
import { ApiError } from './api-error.ts';
import { type ChatItem, type ChatState, hasUnsentMessage } from './chat-state.ts';
import { type ChatStore, createChatStore } from './chat-store.ts';
import { isWaiting } from './other-conversations.ts';
import { createShownConversation, type ShownConversation } from './shown-conversation.ts';
import { createTypingSignal } from './typing-signal.ts';
import { createVisitorSession } from './visitor-session.ts';
import type { VisitorStateStore } from './visitor-state-store.ts';

type Session = ReturnType<typeof createVisitorSession>;

export interface Chat
  extends ReturnType<typeof createRatings>,
    Pick<Session, 'start' | 'listConversations'> {
  readonly state: ChatState;
  onChange(listener: (state: ChatState) => void): void;
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
  /** @throws ApiError when the handoff could not be requested. */
  requestHandoff(contact: Readonly<Record<string, string>>): Promise<void>;
  startNewConversation(): void;
  /** Shows another conversation of the visitor. */
  openConversation(id: string): Promise<void>;
  /** Cancels all requests and updates. */
  dispose(): void;
}

export function createChat(
  api: Api,
  visit: VisitorStateStore,
  signIn: { readonly isSignedIn: boolean },
): Chat {
  const store = createChatStore();
  const shown = createShownConversation(api, visit, store);
  const session = createVisitorSession(api, visit, store, shown, signIn);
  const { start, listConversations } = session;

  const typing = createTypingSignal(async (isTyping) => {
    const { conversationId, status } = store.state;
    if (conversationId === null || status !== 'HUMAN') return;
    await api.signalTyping(conversationId, isTyping);
  });

  const follow = () => followOtherTab(store, visit, shown, start);
  visit.onOtherTab(follow);

  const answers = createAnswerReceiver(store, visit, {
    request: session.requestAnswer,
    requestStop: api.stop,
    onIncomplete: shown.watch,
    onEnd: follow,
  });
  return {
    ...createRatings(api, visit, store),
    get state() {
      return store.state;
    },
    onChange: store.onChange,
    start,
    listConversations,
    resumeIfWaiting() {
      const { isWaiting, hasUnseen } = visit.read();
      if (isWaiting || hasUnseen) void start();
    },
    onInput: typing.onInput,
    send(message) {
      typing.stop();
      const content = message.normalize('NFC');
      return answers.receive(store.addItem({ role: 'USER', content, state: 'waiting' }));
    },
    retry(item) {
      store.changeItem(item.key, { state: 'waiting', failure: null });
      void answers.receive(item);
    },
    stop: answers.stop,
    async requestHandoff(contact) {
      const { conversationId } = store.state;
      if (conversationId === null) throw new ApiError('NOT_FOUND');
      const conversation = await api.requestHandoff(contact, conversationId);
      if (store.state.conversationId !== conversationId) return;
      visit.update({ conversationId });
      shown.apply(conversation);
    },
    startNewConversation() {
      shown.switchTo(null);
      shown.storeId();
      shown.followUpdates();
    },
    async openConversation(id) {
      shown.switchTo(id);
      shown.storeId();
      const conversation = await api.getConversation(id);
      if (store.state.conversationId === id) shown.apply(conversation);
    },
    dispose() {
      shown.dispose();
      answers.abort();
      store.onChange(() => {});
    },
  };
}

/** Shows the conversation and the messages of the tab in which the visitor wrote the latest message. */
function followOtherTab(
  { state }: ChatStore,
  visit: VisitorStateStore,
  shown: ShownConversation,
  start: () => Promise<void>,
): void {
  const stored = visit.read();
  if (state.phase !== 'ready') {
    if (stored.isWaiting && state.phase !== 'refused' && state.phase !== 'unverified') void start();
  } else if (state.answeringKey !== null || hasUnsentMessage(state)) return;
  else if (stored.conversationId === state.conversationId) {
    const { latestMessageId: latest } = stored;
    const isComplete = latest === null || state.items.some(({ id }) => id === latest);
    if (!isComplete || stored.isWaiting !== isWaiting(state)) shown.watch();
  } else {
    shown.switchTo(stored.conversationId);
    shown.watch();
  }
}

/** Creates the functions that rate answers and the agent. */
function createRatings(
  api: Pick<Api, 'rate' | 'rateHandoff'>,
  visit: VisitorStateStore,
  store: ChatStore,
) {
  const { change, changeItem } = store;
  return {
    async rate({ key, id, rating: before }: ChatItem, rating: Rating) {
      if (id === null) return;
      changeItem(key, { rating });
      await api.rate(id, rating).catch(() => changeItem(key, { rating: before }));
    },
    /** @throws ApiError when the rating of the agent could not be stored. */
    async rateHandoff(rating: number, comment: string) {
      const handoffId = store.state.satisfaction?.handoffId;
      if (handoffId === undefined) return;
      const satisfaction = await api.rateHandoff(handoffId, rating, comment);
      if (store.state.satisfaction?.handoffId === handoffId) change({ satisfaction });
    },
    /** Closes the satisfaction question in this browser. */
    dismissSatisfaction() {
      visit.update({ dismissedHandoffId: store.state.satisfaction?.handoffId ?? null });
      change({ satisfaction: null });
    },
  };
}
