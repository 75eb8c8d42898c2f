import { type ChatItem, type ChatState, initialState, unsentItemDefaults } from './chat-state.ts';

/** The state of the chat on this page, with functions that change its items. */
export interface ChatStore {
  readonly state: ChatState;
  onChange(listener: (state: ChatState) => void): void;
  change(part: Partial<ChatState>): void;
  /** Adds an item that the service has not stored yet. */
  addItem(part: Pick<ChatItem, 'role' | 'content' | 'state'>): ChatItem;
  changeItem(key: number, part: Partial<ChatItem>): void;
  removeItem(key: number): void;
  itemByKey(key: number): ChatItem | undefined;
  nextKey(): number;
}

export function createChatStore(): ChatStore {
  let state = initialState;
  let listener: (state: ChatState) => void = () => {};
  let lastKey = 0;

  const nextKey = () => ++lastKey;
  const change = (part: Partial<ChatState>) => {
    state = { ...state, ...part };
    listener(state);
  };
  return {
    get state() {
      return state;
    },
    onChange(changed) {
      listener = changed;
    },
    change,
    addItem(part) {
      const item: ChatItem = { ...part, key: nextKey(), ...unsentItemDefaults };
      change({ items: [...state.items, item] });
      return item;
    },
    changeItem(key, part) {
      change({
        items: state.items.map((item) => (item.key === key ? { ...item, ...part } : item)),
      });
    },
    removeItem(key) {
      change({ items: state.items.filter((item) => item.key !== key) });
    },
    itemByKey: (key) => state.items.find((item) => item.key === key),
    nextKey,
  };
}
