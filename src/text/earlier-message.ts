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

/** Whether a passage is a quoted message. `context` is its heading path. */
export function isEarlierMessage(passage: string, context: string): boolean {
  return passage.startsWith(earlierMessage) || context.includes(`› ${earlierMessage}`);
}
