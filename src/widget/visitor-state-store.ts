import type { SeenPositions } from './other-conversations.ts';

/** The visitor's state in this browser, separate for each website. */
export interface VisitorState {
  /** Id of the signed-in user to whom this state belongs. Null: an anonymous visitor. */
  readonly userId: string | null;
  readonly token: string | null;
  readonly conversationId: string | null;
  /**
   * Whether any conversation of the visitor waits for an agent or is owned by one. A reply may then arrive on any page of
   * the website.
   */
  readonly isWaiting: boolean;
  /** Id of the answer that the visitor requested last, in any tab. */
  readonly latestMessageId: string | null;
  readonly seenPositions: SeenPositions;
  /** Whether there is an agent message that the visitor has not seen. The chat button shows this on every page. */
  readonly hasUnseen: boolean;
  /** Id of the handoff whose satisfaction question the visitor has closed. */
  readonly dismissedHandoffId: string | null;
  /** Whether the chat is open. */
  readonly isOpen: boolean;
}

export interface VisitorStateStore {
  read(): VisitorState;
  update(part: Partial<VisitorState>): void;
  /** Calls the listener after each change of the state by another tab. */
  onOtherTab(listener: () => void): void;
  /** Disconnects this store from the browser's storage, because another user takes over. */
  dispose(): void;
}

const initialVisitorState: VisitorState = {
  userId: null,
  token: null,
  conversationId: null,
  isWaiting: false,
  latestMessageId: null,
  seenPositions: {},
  hasUnseen: false,
  dismissedHandoffId: null,
  isOpen: false,
};

/**
 * Stores the visit in the site's local storage, or in memory if the browser refuses local storage. If local storage
 * contains the state of another user, that state and its token are deleted at once. Tabs of another user do not read
 * the new state.
 */
export function createVisitorStateStore(key: string, userId: string | null): VisitorStateStore {
  const storageKey = `grounded-chat:${key}`;
  const disposal = new AbortController();
  let inMemory: VisitorState = { ...initialVisitorState, userId };
  const readStored = (): VisitorState | null => {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
      return stored === null ? null : parseVisitorState(stored);
    } catch {
      return null;
    }
  };
  const read = () => {
    const stored = disposal.signal.aborted ? null : readStored();
    return stored?.userId === userId ? stored : inMemory;
  };
  const store: VisitorStateStore = {
    read,
    update(part) {
      inMemory = { ...read(), ...part };
      if (disposal.signal.aborted) return;
      try {
        localStorage.setItem(storageKey, JSON.stringify(inMemory));
      } catch {
        // The browser refused local storage, for example in a private window. `inMemory` contains the visit.
      }
    },
    onOtherTab(listener) {
      const { signal } = disposal;
      const onStorage = ({ key }: StorageEvent) => {
        if (key === storageKey) listener();
      };
      window.addEventListener('storage', onStorage, { signal });
    },
    dispose: () => disposal.abort(),
  };
  const previous = readStored();
  if (previous !== null && previous.userId !== userId) store.update({ isOpen: previous.isOpen });
  return store;
}

function parseVisitorState(stored: unknown): VisitorState {
  if (typeof stored !== 'object' || stored === null) return initialVisitorState;
  const text = (name: keyof VisitorState) => {
    const value: unknown = Reflect.get(stored, name);
    return typeof value === 'string' ? value : null;
  };
  const conversationId = text('conversationId');
  return {
    userId: text('userId'),
    token: text('token'),
    conversationId,
    isWaiting: Reflect.get(stored, 'isWaiting') === true,
    latestMessageId: text('latestMessageId'),
    dismissedHandoffId: text('dismissedHandoffId'),
    seenPositions: parseSeenPositions(stored, conversationId),
    hasUnseen: Reflect.get(stored, 'hasUnseen') === true,
    isOpen: Reflect.get(stored, 'isOpen') === true,
  };
}

function parseSeenPositions(stored: object, conversationId: string | null): SeenPositions {
  const seen: unknown = Reflect.get(stored, 'seenPositions');
  // An earlier version of the script stored only the position of the shown conversation.
  const ofShown: unknown = Reflect.get(stored, 'seenPosition');
  const entries: [string, unknown][] =
    typeof seen === 'object' && seen !== null
      ? Object.entries(seen)
      : [[conversationId ?? '', ofShown]];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
