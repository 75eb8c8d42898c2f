import type { ChatFrame, Citation } from './api.ts';
import { ApiError, isRefused, isUnverified } from './api-error.ts';
import { type ChatItem, failureOf, phaseAfter, stoppableMessageId } from './chat-state.ts';
import type { ChatStore } from './chat-store.ts';
import { isHandedOff, isWaiting } from './other-conversations.ts';
import type { VisitorStateStore } from './visitor-state-store.ts';

/**
 * Receives the answers to the questions of this page.
 * @param onIncomplete Called if a stored message may change or arrive outside of the stream.
 * @param onEnd Called after the end of each stream.
 */
export function createAnswerReceiver(
  store: ChatStore,
  visit: VisitorStateStore,
  {
    request,
    requestStop,
    onIncomplete,
    onEnd,
  }: {
    request(message: string, signal: AbortSignal): Promise<AsyncIterable<ChatFrame>>;
    requestStop(messageId: string): Promise<unknown>;
    onIncomplete(): void;
    onEnd(): void;
  },
) {
  const { change, changeItem } = store;
  let controller: AbortController | null = null;

  const showStored = (conversationId: string, latestMessageId: string) => {
    const { status } = store.state;
    const isNew = status === null || status === 'RESOLVED';
    change({ conversationId, ...(isNew && { status: 'OPEN' }) });
    visit.update({ conversationId, isWaiting: isWaiting(store.state), latestMessageId });
  };
  return {
    /** Sends the question and shows the answer while it arrives. */
    async receive(question: ChatItem) {
      controller = new AbortController();
      const answer = addAnswerItem(store);
      let isStored = false;
      let isFinished = false;
      try {
        for await (const frame of await request(question.content, controller.signal)) {
          isFinished ||= frame.type !== 'meta' && frame.type !== 'delta';
          if (frame.type === 'meta') {
            isStored = true;
            showStored(frame.conversationId, frame.messageId);
            changeItem(question.key, { state: 'done' });
            answer.identify(frame.messageId);
          } else if (frame.type === 'delta') answer.append(frame.text);
          else if (frame.type === 'done') {
            answer.complete(frame.content, frame.citations);
            if (isHandedOff(frame.conversationStatus)) onIncomplete();
          } else answer.fail();
        }
        if (!isFinished) throw new ApiError('OFFLINE');
      } catch (error) {
        if (isStored) {
          answer.awaitRest();
          onIncomplete();
        } else {
          answer.remove();
          changeItem(question.key, { state: 'failed', failure: failureOf(error) });
          if (isRefused(error) || isUnverified(error)) change({ phase: phaseAfter(error) });
        }
      } finally {
        change({ answeringKey: null });
        onEnd();
      }
    },
    async stop() {
      const id = stoppableMessageId(store.state);
      if (id === null) return;
      const stopped = controller;
      await requestStop(id);
      // Abort the answer stream later, in case the connection is dead. The conversation watcher then loads the stored
      // partial answer.
      setTimeout(() => stopped?.abort(), stopTimeoutMs);
    },
    abort: () => controller?.abort(),
  };
}

/** How long the answer stream may stay open after a stop request. */
const stopTimeoutMs = 2_000;

/** Adds the item of the answer that this page receives, and returns what changes it. */
function addAnswerItem(store: ChatStore) {
  const { addItem, change, changeItem, itemByKey, removeItem } = store;
  let { key } = addItem({ role: 'ASSISTANT', content: '', state: 'waiting' });
  change({ answeringKey: key });
  return {
    /** Sets the message id that the service has assigned. */
    identify(messageId: string) {
      // While an agent owns the conversation, each question gets the same stored holding message, or the agent's
      // reply instead. So the item of this message may already exist.
      const known = store.state.items.find(({ id }) => id === messageId);
      if (known === undefined || known.key === key) return changeItem(key, { id: messageId });
      removeItem(key);
      key = known.key;
      change({ answeringKey: key });
    },
    append(text: string) {
      const item = itemByKey(key);
      // An empty text only keeps the stream open.
      if (text === '') return;
      // Skip the token if the conversation watcher has already completed the answer.
      if (item?.state !== 'waiting' && item?.state !== 'streaming') return;
      changeItem(key, { state: 'streaming', content: item.content + text });
    },
    complete(content: string, citations: readonly Citation[]) {
      const role = store.state.status === 'HUMAN' ? 'SYSTEM' : 'ASSISTANT';
      if (itemByKey(key)?.role === 'AGENT') return;
      changeItem(key, { state: 'done', role, content, citations });
    },
    fail: () => changeItem(key, { state: 'failed', failure: 'interrupted' }),
    /** Call it if the connection breaks. The conversation watcher loads the rest of the answer. */
    awaitRest() {
      if (itemByKey(key)?.state === 'streaming') changeItem(key, { state: 'waiting' });
    },
    remove: () => removeItem(key),
  };
}
