import type { TranscriptMessage } from './transcript-message.ts';

/**
 * Returns the end user's question that a reply answers: their latest message before it that the assistant did not take
 * for small talk. Returns null if it is not loaded.
 */
export function questionBefore(
  messages: readonly TranscriptMessage[],
  replyId: string,
): TranscriptMessage | null {
  const before = messages.slice(
    0,
    messages.findIndex(({ id }) => id === replyId),
  );
  const isSmallTalk = (index: number) => (before[index + 1]?.intent ?? null) !== null;
  return before.findLast(({ role }, index) => role === 'USER' && !isSmallTalk(index)) ?? null;
}
