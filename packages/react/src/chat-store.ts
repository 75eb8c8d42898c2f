import {
  type ChatMessage,
  type ChatStream,
  type Client,
  newIdempotencyKey,
  StreamInterruptedError,
} from '@grounded-chat/client';
import { type Message, pendingAnswer, question, storedMessage } from './messages.ts';

/** The state of a chat. It is replaced with each change. */
export interface ChatState {
  readonly messages: readonly Message[];
  /** `submitted` until the first text of an answer, then `streaming`. After a failure `error`. */
  readonly status: 'ready' | 'submitted' | 'streaming' | 'error';
  readonly error: unknown;
  readonly conversationId: string | null;
  /** Null as long as nobody has asked for a person. */
  readonly handoff: 'HANDOFF_REQUESTED' | 'HUMAN' | 'RESOLVED' | null;
}

export interface ChatStoreOptions {
  readonly client: Client;
  /** A conversation to continue. */
  readonly conversationId?: string | undefined;
  /** How often to look for replies while a person is asked or answers, in milliseconds. Default: 5,000; 0: never. */
  readonly pollIntervalMs?: number | undefined;
}

/** A message as it was sent. Sent again with the same key, it is asked once. */
interface ChatRequest {
  readonly body: ChatMessage;
  readonly idempotencyKey: string;
}

/** What a person says who asks for help. */
export type HandoffDetails = Omit<Parameters<Client['handoffs']['request']>[0], 'conversationId'>;

/** One chat, without React. */
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

  /** A message can start a handoff, and while a person has the conversation, nothing is cited. */
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

  /** Reads replies of people, and the state of the handoff. */
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

    /** Reads the conversation to continue, if there is one. */
    open,

    /** Ends everything that runs. An answer that is being written is stopped. */
    close(): void {
      controller.abort();
      clearTimeout(timer);
    },

    /** Sends a message. Returns false if it is blank, or an answer is being written. */
    send(text: string): boolean {
      if (isBusy() || text.trim() === '') return false;
      answerId = newId();
      const added = [question(newId(), text), pendingAnswer(answerId)];
      update({ messages: [...state.messages, ...added], status: 'submitted', error: null });
      ask(text);
      return true;
    },

    /** Stops the answer that is being written. Its text so far stays. */
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

    /** Continues an answer that was cut, sends the last message again, or reads the conversation to continue. */
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
      // The service may have received a request without a response, so it is the same one again.
      if (hasBegun) ask(lastRequest.body.message);
      else void send(lastRequest, true);
    },

    /** Asks for a person. Needs a conversation, so a message has to be sent first. */
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
