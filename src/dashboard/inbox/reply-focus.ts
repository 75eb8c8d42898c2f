/** The conversation whose reply field receives the focus when it appears. */
let wanted: string | null = null;

/** Gives the focus to the reply field of a conversation when it appears. Not on touch screens, where a keyboard would open. */
export function focusReplyOf(conversationId: string): void {
  wanted = matchMedia('(pointer: fine)').matches ? conversationId : null;
}

/** Whether the reply field that has appeared receives the focus. */
export function takeReplyFocus(conversationId: string): boolean {
  const isWanted = wanted === conversationId;
  if (isWanted) wanted = null;
  return isWanted;
}
