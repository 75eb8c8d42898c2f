import type { Citation } from './api.ts';
import type { ChatStore } from './chat-store.ts';

/** The item of the answer that this page is receiving. */
export interface AnswerItem {
  /** Sets the message id that the service has assigned. */
  identify(messageId: string): void;
  append(text: string): void;
  complete(content: string, citations: readonly Citation[]): void;
  /** The answer failed. The text that has arrived stays. */
  fail(): void;
  /** The connection broke. The conversation watcher loads the rest of the answer. */
  awaitRest(): void;
  remove(): void;
}

/** Adds the item of an answer. Until it is identified, it is only on this page. */
export function addAnswerItem(store: ChatStore): AnswerItem {
  const { addItem, change, changeItem, itemByKey, removeItem } = store;
  let { key } = addItem({ role: 'ASSISTANT', content: '', state: 'waiting' });
  change({ answeringKey: key });
  return {
    identify(messageId) {
      // While an agent owns the conversation, each question gets the same stored holding message, or the agent's
      // reply instead. So the item of this message may already exist.
      const known = store.state.items.find(({ id }) => id === messageId);
      if (known === undefined || known.key === key) return changeItem(key, { id: messageId });
      removeItem(key);
      key = known.key;
      change({ answeringKey: key });
    },
    append(text) {
      const item = itemByKey(key);
      // An empty text only keeps the stream open.
      if (text === '') return;
      // Skip the token if the conversation watcher has already completed the answer.
      if (item?.state !== 'waiting' && item?.state !== 'streaming') return;
      changeItem(key, { state: 'streaming', content: item.content + text });
    },
    complete(content, citations) {
      const role = store.state.status === 'HUMAN' ? 'SYSTEM' : 'ASSISTANT';
      if (itemByKey(key)?.role === 'AGENT') return;
      changeItem(key, { state: 'done', role, content, citations });
    },
    fail: () => changeItem(key, { state: 'failed', failure: 'interrupted' }),
    awaitRest() {
      if (itemByKey(key)?.state === 'streaming') changeItem(key, { state: 'waiting' });
    },
    remove: () => removeItem(key),
  };
}
