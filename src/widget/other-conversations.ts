/** State of a conversation of the visitor on this page. */
export interface KnownConversation {
  readonly id: string;
  readonly status: 'OPEN' | 'HANDOFF_REQUESTED' | 'HUMAN' | 'RESOLVED';
  /** Positions of the agents' messages. Missing in responses of an older service. */
  readonly teamPositions?: readonly number[];
}

/** The shown conversation and all those that the page knows. */
export interface VisitorConversations {
  /** Null before the first message. */
  readonly conversationId: string | null;
  readonly status: KnownConversation['status'] | null;
  readonly items: readonly { readonly role: string; readonly position: number }[];
  /** May contain the shown conversation, in the state of an earlier time. */
  readonly conversations: readonly KnownConversation[];
}

/** By the id of a conversation: position of the latest message of an agent that the visitor has seen. */
export type SeenPositions = Readonly<Record<string, number>>;

/** Returns whether the conversation waits for an agent or is with one. */
export function isHandedOff(status: KnownConversation['status'] | null): boolean {
  return status === 'HANDOFF_REQUESTED' || status === 'HUMAN';
}

/** Returns the conversations of the visitor except the shown one. */
export function otherConversations({
  conversations,
  conversationId,
}: Pick<VisitorConversations, 'conversations' | 'conversationId'>): readonly KnownConversation[] {
  return conversations.filter(({ id }) => id !== conversationId);
}

/** Returns whether a reply of an agent may come in any conversation of the visitor. */
export function isWaiting(visitor: Omit<VisitorConversations, 'items'>): boolean {
  return (
    isHandedOff(visitor.status) ||
    otherConversations(visitor).some(({ status }) => isHandedOff(status))
  );
}

/** Returns all conversations with the state of the shown one, so that another one can be shown. */
export function withShownConversation({
  conversationId: id,
  status,
  items,
  conversations,
}: VisitorConversations): readonly KnownConversation[] {
  if (id === null || status === null) return conversations;
  return mergeConversations(conversations, [{ id, status, teamPositions: teamPositionsOf(items) }]);
}

/** Returns the known conversations, replaced by the newer states. */
export function mergeConversations(
  known: readonly KnownConversation[],
  newer: readonly KnownConversation[],
): readonly KnownConversation[] {
  const ids = new Set(newer.map(({ id }) => id));
  return [...newer, ...known.filter(({ id }) => !ids.has(id))];
}

/**
 * Returns the known conversations after an update that contains all those with an agent. Others are no longer with one,
 * and those that were are left out: they may have been deleted.
 */
export function applyTeamConversations(
  known: readonly KnownConversation[],
  withTeam: readonly KnownConversation[],
): readonly KnownConversation[] {
  return mergeConversations(
    known.filter(({ status }) => !isHandedOff(status)),
    withTeam,
  );
}

export function teamPositionsOf(items: VisitorConversations['items']): readonly number[] {
  return items.filter(({ role }) => role === 'AGENT').map(({ position }) => position);
}

/** Returns the positions that the visitor has not seen. */
export function unseenPositions(
  positions: readonly number[],
  seenPosition: number | undefined,
): readonly number[] {
  return positions.filter((position) => position > (seenPosition ?? 0));
}

/** Returns the number of unseen messages of agents by the id of the conversation, for all but the shown one. */
export function countUnseenElsewhere(
  visitor: Pick<VisitorConversations, 'conversations' | 'conversationId'>,
  seen: SeenPositions,
): ReadonlyMap<string, number> {
  const counts = otherConversations(visitor).map(
    ({ id, teamPositions = [] }) => [id, unseenPositions(teamPositions, seen[id]).length] as const,
  );
  return new Map(counts.filter(([, count]) => count > 0));
}

/** More than the conversations that the visitor can list. */
const maxSeenPositions = 50;

/** Returns the positions with that of one conversation. Forgets the conversations that were seen the longest ago. */
export function withSeenPosition(seen: SeenPositions, id: string, position: number): SeenPositions {
  const others = Object.entries(seen).filter(([other]) => other !== id);
  return Object.fromEntries([...others, [id, position]].slice(-maxSeenPositions));
}
