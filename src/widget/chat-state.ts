import type { Citation, Message, Rating, Role, Satisfaction } from './api.ts';
import { errorCodeOf, isRefused, isUnverified } from './api-error.ts';
import { isWaiting, type VisitorConversations } from './other-conversations.ts';
import type { TeamHours } from './team-hours.ts';

/** Why an item failed. `interrupted`: the answer stopped before its end. All other values: the message was not sent. */
export type ItemFailure = 'unsent' | 'rateLimited' | 'unavailable' | 'interrupted';

/** A message in the list of the chat. */
export interface ChatItem {
  /** Identifies the item in this page, even before the service has assigned the message id. */
  readonly key: number;
  /** Message id. Null until the service has assigned one. */
  readonly id: string | null;
  /** Position in the conversation. Infinity until the service has assigned one. */
  readonly position: number;
  readonly role: Role;
  /** Name of the agent who sent the message. Null if visitors see none. */
  readonly authorName: string | null;
  readonly content: string;
  readonly citations: readonly Citation[];
  readonly rating: Rating | null;
  readonly state: 'waiting' | 'streaming' | 'done' | 'failed';
  readonly failure: ItemFailure | null;
}

export interface ChatState extends VisitorConversations {
  /**
   * `refused`: this site may not use the widget. `unverified`: the chat is for signed-in users, or the page gave a wrong
   * hash. `offline`: the service is unreachable.
   */
  readonly phase: 'new' | 'starting' | 'ready' | 'refused' | 'unverified' | 'offline';
  readonly items: readonly ChatItem[];
  /** Key of the answer that this page is receiving. */
  readonly answeringKey: number | null;
  /** The message to show while the visitor waits for an agent outside business hours. Null in all other cases. */
  readonly outOfHoursText: string | null;
  /** When the team answers. Null before the visit has started. */
  readonly teamHours: TeamHours | null;
  /** The project's own AI notice. Null if it has none, and before the visit has started. */
  readonly aiNotice: string | null;
  /** The question that asks how satisfied the visitor was with the agent. Null if it is not shown. */
  readonly satisfaction: Satisfaction | null;
  /** Whether the agent who owns the conversation is typing a reply. */
  readonly isTeamTyping: boolean;
}

export const initialState: ChatState = {
  phase: 'new',
  conversationId: null,
  conversations: [],
  items: [],
  status: null,
  answeringKey: null,
  outOfHoursText: null,
  teamHours: null,
  aiNotice: null,
  satisfaction: null,
  isTeamTyping: false,
};

/**
 * Initial fields of an item that the service has not stored yet. The position sorts the item after all stored messages.
 */
export const unsentItemDefaults = {
  id: null,
  position: Number.POSITIVE_INFINITY,
  authorName: null,
  citations: [],
  rating: null,
  failure: null,
};

const stateByStatus = {
  GENERATING: 'waiting',
  COMPLETED: 'done',
  STOPPED: 'done',
  FAILED: 'failed',
} as const;

/** Merges the stored messages into the items. Items that the service has not stored yet are kept. */
export function mergeMessages(
  shownItems: readonly ChatItem[],
  messages: readonly Message[],
  nextKey: () => number,
): readonly ChatItem[] {
  const items = [...shownItems];
  for (const message of messages) {
    const index = items.findIndex(
      (item) => item.id === message.id || isSameQuestion(item, message),
    );
    const shown = items[index];
    // This page received more of the text by streaming than the service has stored.
    if (message.status === 'GENERATING' && shown !== undefined && shown.content !== '') continue;
    const item = itemOf(message, shown?.key ?? nextKey());
    if (index === -1) items.push(item);
    else items[index] = item;
  }
  return items.sort((a, b) => a.position - b.position);
}

function itemOf(message: Message, key: number): ChatItem {
  const { id, position, role, authorName = null, content, citations, rating, status } = message;
  const failure = status === 'FAILED' ? 'interrupted' : null;
  return {
    key,
    id,
    position,
    role,
    authorName,
    content,
    citations,
    rating,
    state: stateByStatus[status],
    failure,
  };
}

/**
 * Returns whether the item, which has no message id yet, is the given stored question. Compares the texts, because
 * there is no id to compare.
 */
function isSameQuestion(item: ChatItem, { role, content }: Message): boolean {
  return item.id === null && item.role === 'USER' && role === 'USER' && item.content === content;
}

/**
 * Returns whether no changes are expected from the service: no agent is involved in any conversation of the visitor or
 * may reopen the shown one, and no stored answer is incomplete.
 */
export function isIdle(state: ChatState): boolean {
  const hasIncomplete = state.items.some(({ id, state }) => id !== null && state === 'waiting');
  return !isWaiting(state) && !hasIncomplete && state.status !== 'RESOLVED';
}

/** Returns whether this page contains a message of the visitor that the service has not stored. */
export function hasUnsentMessage({ items }: ChatState): boolean {
  return items.some(({ id, role, state }) => id === null && role === 'USER' && state !== 'done');
}

/**
 * Returns the id of the answer that this page is receiving. Returns null if there is no such answer or it has no id
 * yet.
 */
export function stoppableMessageId({ answeringKey, items }: ChatState): string | null {
  return items.find(({ key }) => key === answeringKey)?.id ?? null;
}

/** Returns why a message could not be sent. */
export function failureOf(error: unknown): ItemFailure {
  const code = errorCodeOf(error);
  if (code === 'RATE_LIMITED') return 'rateLimited';
  return code === 'QUOTA_EXCEEDED' ? 'unavailable' : 'unsent';
}

/**
 * Returns the phase after a failed request. If the request was refused, also logs this for the website's developers.
 */
export function phaseAfter(error: unknown): 'refused' | 'unverified' | 'offline' {
  if (isUnverified(error)) {
    console.warn(
      'grounded-chat: the visitor is not verified. Pass userId, and userHash as the back end of this site has signed it with the identity secret of the widget.',
    );
    return 'unverified';
  }
  if (!isRefused(error)) return 'offline';
  console.warn(
    `grounded-chat: the widget is not allowed on ${location.origin}. Add this origin to the allowed domains under Settings → Widget, and check data-key.`,
  );
  return 'refused';
}
