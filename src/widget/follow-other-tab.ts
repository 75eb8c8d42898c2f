import { hasUnsentMessage } from './chat-state.ts';
import type { ChatStore } from './chat-store.ts';
import { isWaiting } from './other-conversations.ts';
import type { ShownConversation } from './shown-conversation.ts';
import type { VisitorStateStore } from './visitor-state-store.ts';

/** Shows the conversation and the messages of the tab in which the visitor wrote the latest message. */
export function followOtherTab(
  { state }: ChatStore,
  visit: VisitorStateStore,
  shown: ShownConversation,
  start: () => Promise<void>,
): void {
  const stored = visit.read();
  if (state.phase !== 'ready') {
    if (stored.isWaiting && state.phase !== 'refused' && state.phase !== 'unverified') void start();
  } else if (state.answeringKey !== null || hasUnsentMessage(state)) return;
  else if (stored.conversationId === state.conversationId) {
    const { latestMessageId: latest } = stored;
    const isComplete = latest === null || state.items.some(({ id }) => id === latest);
    if (!isComplete || stored.isWaiting !== isWaiting(state)) shown.watch();
  } else {
    shown.switchTo(stored.conversationId);
    shown.watch();
  }
}
