/** State of one of the visitor's conversations, as this page knows it. */
export interface KnownConversation {
  readonly id: string;
  readonly status: 'OPEN' | 'HANDOFF_REQUESTED' | 'HUMAN' | 'RESOLVED';
  /** Positions of the agents' messages. Absent in responses of an older service. */
  readonly teamPositions?: readonly number[];
}

/** The shown conversation and all conversations that the page knows. */
export interface VisitorConversations {
  /** Null before the first message. */
  readonly conversationId: string | null;
  readonly status: KnownConversation['status'] | null;
  readonly items: readonly { readonly role: string; readonly position: number }[];
  /** May contain the shown conversation, but in an older state. */
  readonly conversations: readonly KnownConversation[];
}

/** For each conversation id: position of the latest agent message that the visitor has seen. */
export type SeenPositions = Readonly<Record<string, number>>;

/** Returns whether the conversation waits for an agent or is owned by one. */
export function isHandedOff(status: KnownConversation['status'] | null): boolean {
  return status === 'HANDOFF_REQUESTED' || status === 'HUMAN';
}

export function otherConversations({
  conversations,
  conversationId,
}: Pick<VisitorConversations, 'conversations' | 'conversationId'>): readonly KnownConversation[] {
  return conversations.filter(({ id }) => id !== conversationId);
}

/** Returns whether an agent may reply in any conversation of the visitor. */
export function isWaiting(visitor: Omit<VisitorConversations, 'items'>): boolean {
  return (
    isHandedOff(visitor.status) ||
    otherConversations(visitor).some(({ status }) => isHandedOff(status))
  );
}

/** Returns all known conversations with the current state of the shown one. Call it before another one is shown. */
export function withShownConversation({
  conversationId: id,
  status,
  items,
  conversations,
}: VisitorConversations): readonly KnownConversation[] {
  if (id === null || status === null) return conversations;
  return mergeConversations(conversations, [{ id, status, teamPositions: teamPositionsOf(items) }]);
}

/** Returns the known conversations. A conversation in `newer` replaces the known conversation with the same id. */
export function mergeConversations(
  known: readonly KnownConversation[],
  newer: readonly KnownConversation[],
): readonly KnownConversation[] {
  const ids = new Set(newer.map(({ id }) => id));
  return [...newer, ...known.filter(({ id }) => !ids.has(id))];
}

/**
 * Returns the known conversations after an update. `withTeam` contains all conversations that wait for an agent or have
 * one. If a known conversation was one of these and is not in `withTeam`, it is left out: it may have been deleted.
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

/** Returns the positions of messages that the visitor has not seen: all positions after `seenPosition`. */
export function unseenPositions(
  positions: readonly number[],
  seenPosition: number | undefined,
): readonly number[] {
  return positions.filter((position) => position > (seenPosition ?? 0));
}

/** Returns the number of unseen agent messages for each conversation id. Leaves out the shown conversation. */
export function countUnseenElsewhere(
  visitor: Pick<VisitorConversations, 'conversations' | 'conversationId'>,
  seen: SeenPositions,
): ReadonlyMap<string, number> {
  const counts = otherConversations(visitor).map(
    ({ id, teamPositions = [] }) => [id, unseenPositions(teamPositions, seen[id]).length] as const,
  );
  return new Map(counts.filter(([, count]) => count > 0));
}

/** Higher than the number of conversations that the visitor can list. */
const maxSeenPositions = 50;

/**
 * Returns the positions, with a new position for one conversation. Removes the conversations that were seen longest
 * ago.
 */
export function withSeenPosition(seen: SeenPositions, id: string, position: number): SeenPositions {
  const others = Object.entries(seen).filter(([other]) => other !== id);
  return Object.fromEntries([...others, [id, position]].slice(-maxSeenPositions));
}
