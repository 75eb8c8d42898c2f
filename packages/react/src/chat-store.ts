import {
  type ChatMessage,
  type ChatStream,
  type Client,
  newIdempotencyKey,
  StreamInterruptedError,
} from '@grounded-chat/client';
import { type Message, pendingAnswer, question, storedMessage } from './messages.ts';

/** The state of a chat. Each change creates a new object. */
export interface ChatState {
  readonly messages: readonly Message[];
  /** `submitted` until the first text of an answer arrives, then `streaming`. `error` after a failure. */
  readonly status: 'ready' | 'submitted' | 'streaming' | 'error';
  readonly error: unknown;
  readonly conversationId: string | null;
  /** Null until someone asks for a person. */
  readonly handoff: 'HANDOFF_REQUESTED' | 'HUMAN' | 'RESOLVED' | null;
}

export interface ChatStoreOptions {
  readonly client: Client;
  /** Id of an existing conversation to continue. */
  readonly conversationId?: string | undefined;
  /**
   * Interval in milliseconds at which the client checks for replies while a person is asked for or answers. Default:
   * 5,000. 0 turns the checks off.
   */
  readonly pollIntervalMs?: number | undefined;
}

/** A message with its key. If it is sent again with the same key, the service answers it only once. */
interface ChatRequest {
  readonly body: ChatMessage;
  readonly idempotencyKey: string;
}

/** Details that a user can enter when asking for a person. */
export type HandoffDetails = Omit<Parameters<Client['handoffs']['request']>[0], 'conversationId'>;

/** Creates the state and actions of one chat, without React. */
export function createChatStore(options: ChatStoreOptions) {
  const { client, pollIntervalMs = 5_000 } = options;
  const listeners = new Set<() => void>();
  let state: ChatState = {
    ...{ messages: [], status: 'ready', error: null, handoff: null },
    conversationId: options.conversationId ?? null,
  };
  let controller = new AbortController();
  let stream: ChatStream | null = null;
  let lastRequest: ChatRequest | null = null;
  /** Id of the latest answer. */
  let answerId = '';
  let count = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const update = (change: Partial<ChatState>) => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const updateAnswer = (change: (answer: Message) => Partial<Message>) => {
    const changed = (message: Message) =>
      message.id === answerId ? { ...message, ...change(message) } : message;
    update({ messages: state.messages.map(changed) });
  };
  const isBusy = () => state.status === 'submitted' || state.status === 'streaming';
  const newId = () => `local-${count++}`;

  async function read(answer: ChatStream): Promise<void> {
    const { signal } = controller;
    stream = answer;
    try {
      for await (const event of answer) {
        if (event.type === 'meta') {
          update({ conversationId: event.conversationId });
          updateAnswer(() => ({ messageId: event.messageId }));
        } else if (event.type === 'sources') {
          updateAnswer(() => ({ confidence: event.confidence }));
        } else if (event.type === 'delta') {
          if (event.text === '') continue; // It only keeps the stream open.
          if (state.status === 'submitted') update({ status: 'streaming' });
          updateAnswer(({ content }) => ({ content: content + event.text }));
        } else {
          const { content, citations, confidence, messageId } = event;
          updateAnswer(({ status }) => ({
            ...{ content, citations, confidence, messageId },
            status: status === 'STOPPED' ? status : 'COMPLETED',
          }));
        }
      }
      update({ status: 'ready' });
      if (pollIntervalMs > 0 && (await mayBeHandedOff(answer))) await refresh().catch(() => {});
      poll();
    } catch (error) {
      if (signal.aborted) {
        updateAnswer(() => ({ status: 'STOPPED' }));
        update({ status: 'ready' });
        return;
      }
      updateAnswer(() => ({ status: 'FAILED' }));
      update({ status: 'error', error });
    } finally {
      if (stream === answer) stream = null;
    }
  }

  /**
   * Returns whether the client must check for a handoff after this answer. A message can start a handoff, and replies
   * while a person has the conversation have no citations.
   */
  async function mayBeHandedOff(answer: ChatStream): Promise<boolean> {
    return (await answer.result()).citations.length === 0;
  }

  function ask(message: string): void {
    const { conversationId } = state;
    const body = { message, ...(conversationId !== null && { conversationId }) };
    lastRequest = { body, idempotencyKey: newIdempotencyKey() };
    void send(lastRequest, false);
  }

  function send({ body, idempotencyKey }: ChatRequest, isRepeated: boolean): Promise<void> {
    const { signal } = controller;
    return read(client.chat.stream(body, { signal, idempotencyKey, isRepeated }));
  }

  /** Reads new replies of agents and the state of the handoff. */
  async function refresh(): Promise<void> {
    const { conversationId } = state;
    if (conversationId === null) return;
    const { signal } = controller;
    const { messages, status } = await client.conversations.get(conversationId, { signal });
    const known = new Set(state.messages.map(({ messageId }) => messageId));
    const isNew = ({ id, role }: { id: string; role: string }) =>
      role === 'AGENT' && !known.has(id);
    const replies = messages.filter(isNew).map(storedMessage);
    const handoff = status === 'OPEN' ? state.handoff && 'RESOLVED' : status;
    update({ messages: [...state.messages, ...replies], handoff });
  }

  function poll(): void {
    clearTimeout(timer);
    const isOpen = state.handoff === 'HANDOFF_REQUESTED' || state.handoff === 'HUMAN';
    if (!isOpen || pollIntervalMs === 0 || controller.signal.aborted) return;
    timer = setTimeout(
      () =>
        refresh()
          .catch(() => {})
          .finally(poll),
      pollIntervalMs,
    );
  }

  async function open(): Promise<void> {
    controller = new AbortController();
    const { conversationId } = state;
    if (conversationId === null || state.messages.length > 0) return poll();
    const { signal } = controller;
    try {
      const { messages, status } = await client.conversations.get(conversationId, { signal });
      if (state.messages.length > 0) return;
      const handoff = status === 'OPEN' ? null : status;
      update({ messages: messages.map(storedMessage), handoff });
    } catch (error) {
      if (!signal.aborted) update({ status: 'error', error });
    }
    poll();
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    getState: () => state,

    /** Reads the messages of the conversation to continue, if there is one. */
    open,

    /** Stops all work of this chat, including the answer that is being written. */
    close(): void {
      controller.abort();
      clearTimeout(timer);
    },

    /** Sends a message. Returns false if the message is blank, or if an answer is being written. */
    send(text: string): boolean {
      if (isBusy() || text.trim() === '') return false;
      answerId = newId();
      const added = [question(newId(), text), pendingAnswer(answerId)];
      update({ messages: [...state.messages, ...added], status: 'submitted', error: null });
      ask(text);
      return true;
    },

    /** Stops the answer that is being written. The text that has arrived stays. */
    stop(): void {
      if (!isBusy()) return;
      if (stream !== null && stream.messageId !== null) {
        updateAnswer(() => ({ status: 'STOPPED' }));
        stream.stop().catch((error: unknown) => update({ error }));
        return;
      }
      controller.abort();
      controller = new AbortController();
    },

    /** Resumes an answer that was cut, or sends the last message again, or reads the conversation to continue. */
    retry(): void {
      const { error, status, messages } = state;
      if (status !== 'error') return;
      update({ status: lastRequest === null ? 'ready' : 'submitted', error: null });
      if (lastRequest === null) {
        void open();
        return;
      }
      if (error instanceof StreamInterruptedError) {
        const { messageId, after } = error;
        updateAnswer(() => ({ status: 'GENERATING' }));
        void read(client.chat.resume(messageId, { after, signal: controller.signal }));
        return;
      }
      const hasBegun = messages.some(({ id, messageId }) => id === answerId && messageId !== null);
      updateAnswer(() => pendingAnswer(answerId));
      // The service may have received the request although no response arrived, so the retry uses the same key.
      if (hasBegun) ask(lastRequest.body.message);
      else void send(lastRequest, true);
    },

    /** Asks for a person. This needs a conversation, so the user must have sent a message first. */
    async requestHandoff(details: HandoffDetails = {}): Promise<void> {
      const { conversationId } = state;
      if (conversationId === null)
        throw new TypeError('Send a message before you ask for a person');
      const request = { ...details, conversationId };
      const { status } = await client.handoffs.request(request, { signal: controller.signal });
      update({ handoff: status });
      poll();
    },

    async rate(messageId: string, rating: 'UP' | 'DOWN'): Promise<void> {
      await client.feedback(messageId, { rating }, { signal: controller.signal });
      const rated = (message: Message) =>
        message.messageId === messageId ? { ...message, rating } : message;
      update({ messages: state.messages.map(rated) });
    },
  };
}
