import { useEffect, useState, useSyncExternalStore } from 'react';
import { type ChatStoreOptions, createChatStore } from './chat-store.ts';

/** Returns the state and actions of one chat. Reads the options only once, when the component is mounted. */
export function useChat(options: ChatStoreOptions) {
  const [store] = useState(() => createChatStore(options));
  const state = useSyncExternalStore(store.subscribe, store.getState, store.getState);
  useEffect(() => {
    void store.open();
    return store.close;
  }, [store]);
  const { send, stop, retry, requestHandoff, rate } = store;
  return { ...state, send, stop, retry, requestHandoff, rate };
}
