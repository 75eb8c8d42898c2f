/** Start of the title above a message that an e-mail quotes. */
export const earlierMessage = 'Earlier message';

/**
 * Returns a passage without the title of a quoted message. The same message has other titles, or none, in the e-mails
 * that contain it.
 */
export function withoutEarlierMessageTitle(passage: string): string {
  if (!passage.startsWith(earlierMessage)) return passage;
  const end = passage.indexOf('\n');
  return end < 0 ? passage : passage.slice(end + 1);
}

/** Returns the title of a quoted message, or null for other passages. `context` is the heading path of the passage. */
export function earlierMessageTitle(passage: string, context: string): string | null {
  if (passage.startsWith(earlierMessage)) return passage.split('\n', 1)[0] ?? '';
  const start = context.lastIndexOf(`› ${earlierMessage}`);
  return start < 0 ? null : context.slice(start + 2);
}
