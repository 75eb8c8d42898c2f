import { createAnswerReceiver } from './answer-receiver.ts';
import type { Api } from './api.ts';
import { ApiError } from './api-error.ts';
import type { ChatItem, ChatState } from './chat-state.ts';
import { createChatStore } from './chat-store.ts';
import { followOtherTab } from './follow-other-tab.ts';
import { createRatings, type Ratings } from './ratings.ts';
import { requestAnswer } from './request-answer.ts';
import { createShownConversation } from './shown-conversation.ts';
import { createTypingSignal } from './typing-signal.ts';
import { createVisitLoader, type VisitLoader } from './visit-loader.ts';
import type { VisitorStateStore } from './visitor-state-store.ts';

export interface Chat extends Ratings, Pick<VisitLoader, 'start' | 'listConversations'> {
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
  const loader = createVisitLoader(api, visit, store, shown, signIn);
  const { start } = loader;

  const typing = createTypingSignal(async (isTyping) => {
    const { conversationId, status } = store.state;
    if (conversationId === null || status !== 'HUMAN') return;
    await api.signalTyping(conversationId, isTyping);
  });

  const follow = () => followOtherTab(store, visit, shown, start);
  visit.onOtherTab(follow);

  const answers = createAnswerReceiver(store, visit, {
    request: (message, signal) => requestAnswer(api, store, shown, loader, message, signal),
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
    listConversations: loader.listConversations,
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
