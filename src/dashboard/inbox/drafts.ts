/**
 * Replies that an operator began and did not send, of this tab: they outlive a reload, and end with the session. Where
 * another tab has ended it, the next operator does not see them.
 */
const prefix = 'grounded-chat draft ';
const keyOf = ({ operatorId, conversationId }: Place) => `${prefix}${operatorId} ${conversationId}`;

interface Place {
  readonly operatorId: string | null;
  readonly conversationId: string;
}

export function readDraft(place: Place): string {
  return sessionStorage.getItem(keyOf(place)) ?? '';
}

export function keepDraft(place: Place, content: string): void {
  if (content === '') sessionStorage.removeItem(keyOf(place));
  else sessionStorage.setItem(keyOf(place), content);
}

export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  }
}
