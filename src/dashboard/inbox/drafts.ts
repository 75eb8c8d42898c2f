/** Replies that were begun and not sent, of this tab: they outlive a reload, and end with the session. */
const prefix = 'grounded-chat draft ';

export function readDraft(conversationId: string): string {
  return sessionStorage.getItem(prefix + conversationId) ?? '';
}

export function keepDraft(conversationId: string, content: string): void {
  if (content === '') sessionStorage.removeItem(prefix + conversationId);
  else sessionStorage.setItem(prefix + conversationId, content);
}

export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  }
}
