import type { PendingReply } from './reply-outbox.ts';

/**
 * Prefix of the storage keys of drafts, notes and unsent replies. Drafts are stored per tab, survive a reload and are deleted
 * at sign-out. A sign-out in another tab does not delete the drafts of this tab. So the key contains the operator's id,
 * and the next operator does not see these drafts.
 */
const keyPrefix = 'grounded-chat draft ';
const unsentSuffix = ' unsent';
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

/** Returns the replies that were not confirmed when the page was closed. */
export function readUnsent(draft: DraftKey): readonly PendingReply[] {
  return JSON.parse(sessionStorage.getItem(`${storageKeyOf(draft)}${unsentSuffix}`) ?? '[]');
}

export function saveUnsent(draft: DraftKey, replies: readonly PendingReply[]): void {
  const key = `${storageKeyOf(draft)}${unsentSuffix}`;
  if (replies.length === 0) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(replies));
}

/** Returns the ids of the conversations with unsent replies of the operator. */
export function conversationsWithUnsent(operatorId: string | null): readonly string[] {
  const start = `${keyPrefix}${operatorId} `;
  return Object.keys(sessionStorage)
    .filter((key) => key.startsWith(start) && key.endsWith(unsentSuffix))
    .map((key) => key.slice(start.length, -unsentSuffix.length));
}

export function clearDrafts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(keyPrefix)) sessionStorage.removeItem(key);
  }
}
