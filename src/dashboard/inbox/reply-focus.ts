/** The conversation whose reply field receives the focus when it appears. */
let wanted: string | null = null;

/**
 * Gives the focus to the reply field of a conversation when it appears. Does nothing on touch screens, because the
 * focus would open a keyboard there.
 */
export function focusReplyOf(conversationId: string): void {
  wanted = matchMedia('(pointer: fine)').matches ? conversationId : null;
}

/** Returns whether the reply field that has just appeared must receive the focus. */
export function takeReplyFocus(conversationId: string): boolean {
  const isWanted = wanted === conversationId;
  if (isWanted) wanted = null;
  return isWanted;
}
