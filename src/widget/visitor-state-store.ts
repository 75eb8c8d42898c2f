/** The visitor's state in this browser, separate for each website. */
export interface VisitorState {
  readonly token: string | null;
  readonly conversationId: string | null;
  /**
   * Whether the conversation waits for an agent or is owned by one. A reply may then arrive on any page of the website.
   */
  readonly isWaiting: boolean;
  /** Id of the latest answer that the visitor has asked for, in any tab. */
  readonly latestMessageId: string | null;
  /** Position of the latest message of an agent that the visitor has seen. */
  readonly seenPosition: number;
  /** Whether the chat is open. */
  readonly isOpen: boolean;
}

export interface VisitorStateStore {
  read(): VisitorState;
  update(part: Partial<VisitorState>): void;
  /** Calls the listener whenever another tab has changed the state. */
  onOtherTab(listener: () => void): void;
}

const initialVisitorState: VisitorState = {
  token: null,
  conversationId: null,
  isWaiting: false,
  latestMessageId: null,
  seenPosition: 0,
  isOpen: false,
};

/** Stores the visit in the site's local storage, or in memory if the browser refuses local storage. */
export function createVisitorStateStore(key: string): VisitorStateStore {
  const storageKey = `grounded-chat:${key}`;
  let inMemory = initialVisitorState;
  const read = (): VisitorState => {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
      return stored === null ? inMemory : parseVisitorState(stored);
    } catch {
      return inMemory;
    }
  };
  return {
    read,
    update(part) {
      inMemory = { ...read(), ...part };
      try {
        localStorage.setItem(storageKey, JSON.stringify(inMemory));
      } catch {
        // The browser refused local storage, for example in a private window. `inMemory` contains the visit.
      }
    },
    onOtherTab(listener) {
      window.addEventListener('storage', ({ key }) => {
        if (key === storageKey) listener();
      });
    },
  };
}

function parseVisitorState(stored: unknown): VisitorState {
  if (typeof stored !== 'object' || stored === null) return initialVisitorState;
  const text = (name: keyof VisitorState) => {
    const value: unknown = Reflect.get(stored, name);
    return typeof value === 'string' ? value : null;
  };
  const seenPosition: unknown = Reflect.get(stored, 'seenPosition');
  return {
    token: text('token'),
    conversationId: text('conversationId'),
    isWaiting: Reflect.get(stored, 'isWaiting') === true,
    latestMessageId: text('latestMessageId'),
    seenPosition: typeof seenPosition === 'number' ? seenPosition : 0,
    isOpen: Reflect.get(stored, 'isOpen') === true,
  };
}
