import {
  type Api,
  ApiError,
  type Citation,
  type Conversation,
  type ConversationStatus,
  type Message,
  type Rating,
  type Role,
} from './api.ts';
import type { StoredVisit } from './visit.ts';

/** Why something is not shown as said. Of those, only an answer breaks off. */
export type Failure = 'unsent' | 'tooMany' | 'unavailable' | 'brokeOff';

/** Something that is shown as said. */
export interface Item {
  /** Stays the same from the moment that it is shown. */
  readonly key: number;
  /** The message's, once the service has told it. */
  readonly id: string | null;
  readonly position: number;
  readonly role: Role;
  readonly content: string;
  readonly citations: readonly Citation[];
  readonly rating: Rating | null;
  readonly state: 'waiting' | 'streaming' | 'done' | 'failed';
  readonly failure: Failure | null;
}

export interface ChatState {
  /** `refused`: this site may not use the widget. `offline`: the service cannot be reached. */
  readonly phase: 'new' | 'starting' | 'ready' | 'refused' | 'offline';
  readonly items: readonly Item[];
  /** Null before the first message. */
  readonly status: ConversationStatus | null;
  /** The key of the answer that is being given. */
  readonly answering: number | null;
  /** What is told while a person has been asked for outside of the team's hours. */
  readonly outOfHoursText: string | null;
}

export interface Chat {
  readonly state: ChatState;
  onChange(listener: (state: ChatState) => void): void;
  /** Begins or goes on, as soon as the visitor wants to talk. */
  start(): Promise<void>;
  /** Where a person may answer, on any page of the site, listens for it. */
  resume(): void;
  send(message: string): Promise<void>;
  /** Sends a message that failed again. */
  retry(item: Item): void;
  /** Ends the answer that is being given, with what there is of it. */
  stop(): Promise<void>;
  rate(item: Item, rating: Rating): Promise<void>;
  /** Throws an ApiError. */
  requestHandoff(contact: Readonly<Record<string, string>>): Promise<void>;
  startAnew(): void;
}

export function createChat(api: Api, visit: StoredVisit): Chat {
  let state: ChatState = {
    phase: 'new',
    items: [],
    status: null,
    answering: null,
    outOfHoursText: null,
  };
  /** Of what is shown here: another tab may have gone over to another conversation, and stored that. */
  let conversationId: string | null = null;
  let listener: (state: ChatState) => void = () => {};
  let following: AbortController | null = null;
  let starting: Promise<void> | null = null;
  let asking: AbortController | null = null;
  let keys = 0;

  const change = (part: Partial<ChatState>) => {
    state = { ...state, ...part };
    listener(state);
  };
  const changeItem = (key: number, part: Partial<Item>) =>
    change({ items: state.items.map((item) => (item.key === key ? { ...item, ...part } : item)) });
  const add = (part: Pick<Item, 'role' | 'content' | 'state'>): Item => {
    const item: Item = { ...part, key: ++keys, ...unplaced };
    change({ items: [...state.items, item] });
    return item;
  };

  /** Takes over what the service has, without taking away what it has not heard of yet. */
  const merge = ({ status, outOfHoursText, messages }: Conversation) => {
    const items = [...state.items];
    for (const message of messages) {
      const index = items.findIndex(
        (item) => item.id === message.id || isSameQuestion(item, message),
      );
      const known = items[index];
      // What streamed in here is ahead of what is stored.
      if (message.status === 'GENERATING' && known !== undefined && known.content !== '') continue;
      const item = itemOf(message, known?.key ?? ++keys);
      if (index === -1) items.push(item);
      else items[index] = item;
    }
    items.sort((a, b) => a.position - b.position);
    const isWaiting = isWithTeam(status);
    const kept = visit.read();
    if (kept.conversationId === conversationId && kept.isWaiting !== isWaiting) {
      visit.change({ isWaiting });
    }
    change({ status, outOfHoursText, items });
    if (!isQuiet(state)) void follow();
  };

  /** Follows the conversation for as long as something may be said that was not asked for here. */
  const follow = async () => {
    if (following !== null) return;
    const followedId = conversationId;
    if (followedId === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    following = controller;
    let pauseMs = 1_000;
    let wasRefused = false;
    try {
      while (!signal.aborted) {
        try {
          for await (const frame of await api.updates(followedId, signal)) {
            if (frame.type === 'error') break;
            if (signal.aborted) return;
            pauseMs = 1_000;
            wasRefused = false;
            merge(frame);
            if (isQuiet(state)) return;
          }
        } catch (error) {
          // What breaks for a moment may look like a refusal.
          if (signal.aborted || isFinal(error) || (wasRefused && isRefused(error))) return;
          wasRefused = isRefused(error);
        }
        await pause(pauseMs, signal);
        pauseMs = Math.min(pauseMs * 2, 30_000);
      }
    } finally {
      controller.abort();
      if (following === controller) following = null;
    }
  };

  const fail = (error: unknown) => {
    if (isRefused(error)) console.warn(refusal);
    change({ phase: isRefused(error) ? 'refused' : 'offline' });
  };

  const forget = () => {
    following?.abort();
    following = null;
    conversationId = null;
    visit.change({ conversationId, isWaiting: false });
  };

  const load = async () => {
    const isKnown = await api.visit();
    if (!isKnown) forget();
    conversationId ??= visit.read().conversationId;
    if (conversationId === null) return;
    try {
      merge(await api.conversation(conversationId));
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error;
      forget();
    }
  };

  const start = () => {
    if (state.phase === 'ready') return Promise.resolve();
    starting ??= (async () => {
      change({ phase: 'starting' });
      try {
        await load();
        change({ phase: 'ready' });
      } catch (error) {
        fail(error);
      } finally {
        starting = null;
      }
    })();
    return starting;
  };

  /** The frames of an answer, to a visit that is begun anew where the old one has ended. */
  const ask = async (message: string, signal: AbortSignal) => {
    await start();
    if (state.phase === 'refused') throw new ApiError('REFUSED');
    try {
      return await api.send(message, conversationId, signal);
    } catch (error) {
      const code = error instanceof ApiError ? error.code : '';
      if (code !== 'UNAUTHENTICATED' && code !== 'NOT_FOUND') throw error;
      if (code === 'UNAUTHENTICATED') await api.visit();
      forget();
      return api.send(message, null, signal);
    }
  };

  const answer = async (question: Item) => {
    asking = new AbortController();
    const { signal } = asking;
    let { key } = add({ role: 'ASSISTANT', content: '', state: 'waiting' });
    change({ answering: key });
    let isStored = false;
    let isOver = false;
    try {
      for await (const frame of await ask(question.content, signal)) {
        if (frame.type === 'meta') {
          isStored = true;
          conversationId = frame.conversationId;
          if (state.status === null || state.status === 'RESOLVED') change({ status: 'OPEN' });
          visit.change({ conversationId, isWaiting: isWithTeam(state.status) });
          changeItem(question.key, { state: 'done' });
          // While a person has the conversation, the same words hold the visitor each time.
          const known = state.items.find(({ id }) => id === frame.messageId);
          if (known !== undefined && known.key !== key) {
            change({ items: state.items.filter((item) => item.key !== key) });
            key = known.key;
            change({ answering: key });
          } else changeItem(key, { id: frame.messageId });
        } else if (frame.type === 'delta') {
          const item = state.items.find((item) => item.key === key);
          // It may have been told to its end already by another way.
          if (item?.state !== 'waiting' && item?.state !== 'streaming') continue;
          changeItem(key, { state: 'streaming', content: item.content + frame.text });
        } else if (frame.type === 'done') {
          isOver = true;
          const { content, citations } = frame;
          const role = state.status === 'HUMAN' ? 'SYSTEM' : 'ASSISTANT';
          changeItem(key, { state: 'done', role, content, citations });
        } else {
          isOver = true;
          changeItem(key, { state: 'failed', failure: 'brokeOff' });
        }
      }
      if (!isOver) throw new ApiError('OFFLINE');
    } catch (error) {
      if (isStored) {
        const item = state.items.find((item) => item.key === key);
        if (item?.state === 'streaming') changeItem(key, { state: 'waiting' });
        void follow();
      } else {
        change({ items: state.items.filter((item) => item.key !== key) });
        changeItem(question.key, { state: 'failed', failure: failureOf(error) });
        if (isRefused(error)) fail(error);
      }
    } finally {
      change({ answering: null });
    }
  };

  return {
    get state() {
      return state;
    },
    onChange(changed) {
      listener = changed;
    },
    start,
    resume() {
      if (visit.read().isWaiting) void start();
    },
    send: (message) =>
      answer(add({ role: 'USER', content: message.normalize('NFC'), state: 'waiting' })),
    retry(item) {
      changeItem(item.key, { state: 'waiting', failure: null });
      void answer(item);
    },
    async stop() {
      const id = stoppable(state);
      if (id === null) return;
      const stopped = asking;
      await api.stop(id);
      // The line may be dead by which the end would come: it stands in the conversation as well.
      setTimeout(() => stopped?.abort(), farewellMs);
    },
    async rate({ key, id, rating: before }, rating) {
      if (id === null) return;
      changeItem(key, { rating });
      await api.rate(id, rating).catch(() => changeItem(key, { rating: before }));
    },
    async requestHandoff(contact) {
      if (conversationId === null) throw new ApiError('NOT_FOUND');
      const id = conversationId;
      const conversation = await api.handoff(contact, id);
      if (conversationId !== id) return;
      visit.change({ conversationId });
      merge(conversation);
    },
    startAnew() {
      forget();
      change({ items: [], status: null, outOfHoursText: null });
    },
  };
}

const refusal = `grounded-chat: the widget does not answer pages of ${location.origin}. Add this address to the allowed domains under Settings → Widget, and check data-key.`;

/** How long the end of a stopped answer may take to come. */
const farewellMs = 2_000;

/** Behind everything that the service has told the place of. */
const unplaced = {
  id: null,
  position: Number.POSITIVE_INFINITY,
  citations: [],
  rating: null,
  failure: null,
};

const states = {
  GENERATING: 'waiting',
  COMPLETED: 'done',
  STOPPED: 'done',
  FAILED: 'failed',
} as const;

function itemOf(message: Message, key: number): Item {
  const { id, position, role, content, citations, rating, status } = message;
  const failure = status === 'FAILED' ? 'brokeOff' : null;
  return { key, id, position, role, content, citations, rating, state: states[status], failure };
}

/** A question is told back without the name that it had here. */
function isSameQuestion(item: Item, { role, content }: Message): boolean {
  return item.id === null && item.role === 'USER' && role === 'USER' && item.content === content;
}

function isWithTeam(status: ConversationStatus | null): boolean {
  return status === 'HANDOFF_REQUESTED' || status === 'HUMAN';
}

function isQuiet({ status, items }: ChatState): boolean {
  return !isWithTeam(status) && !items.some(({ id, state }) => id !== null && state === 'waiting');
}

/** The answer that is being given, once the service has told its name. */
export function stoppable({ answering, items }: ChatState): string | null {
  return items.find(({ key }) => key === answering)?.id ?? null;
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'REFUSED';
}

/** Whatever is tried, it will not be answered. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && ['UNAUTHENTICATED', 'NOT_FOUND'].includes(error.code);
}

function failureOf(error: unknown): Failure {
  const code = error instanceof ApiError ? error.code : 'OFFLINE';
  if (code === 'RATE_LIMITED') return 'tooMany';
  return code === 'QUOTA_EXCEEDED' ? 'unavailable' : 'unsent';
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}
