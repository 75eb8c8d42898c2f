/**
 * Prefix of the storage keys of unsent replies and notes. Drafts are stored per tab, survive a reload and are deleted
 * at sign-out. A sign-out in another tab does not delete the drafts of this tab. So the key contains the operator's id,
 * and the next operator does not see these drafts.
 */
const keyPrefix = 'grounded-chat draft ';
const storageKeyOf = ({ operatorId, conversationId, kind }: DraftKey) =>
  `${keyPrefix}${operatorId} ${conversationId}${kind === undefined ? '' : ` ${kind}`}`;

interface DraftKey {
  readonly operatorId: string | null;
  readonly conversationId: string;
  /** If unset, the draft is a reply. */
  readonly kind?: 'note';
}

export function readDraft(draft: DraftKey): string {
  return sessionStorage.getItem(storageKeyOf(draft)) ?? '';
}

export function saveDraft(draft: DraftKey, content: string): void {
  if (content === '') sessionStorage.removeItem(storageKeyOf(draft));
  else sessionStorage.setItem(storageKeyOf(draft), content);
}

export function clearDrafts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(keyPrefix)) sessionStorage.removeItem(key);
  }
}
