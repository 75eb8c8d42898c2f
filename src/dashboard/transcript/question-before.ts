import type { TranscriptMessage } from './transcript-message.ts';

/**
 * Returns the question that a reply answers: the end user's latest message before the reply that the assistant did not
 * treat as small talk. Returns null if this message is not loaded.
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
