import type { ChangedIds } from '../../platform/events/events.ts';
import type {
  ConversationStatus,
  FeedbackRating,
  MessageRole,
  MessageStatus,
} from '../../platform/postgres/generated/prisma/enums.ts';
import type { Context } from '../context.ts';
import { storedCitations } from '../conversations/messages.ts';
import { outOfHoursMessageAt } from '../handoff/holding-message.ts';
import { requireProject } from '../organizations/require-project.ts';
import { subscribeCaller } from '../subscriptions/subscribe-caller.ts';
import { reauthorizeVisitor } from './authenticate-widget-request.ts';
import { ownConversations, requireOwnConversation, requireVisitor } from './require-visitor.ts';
import { listTeamConversations, type VisitorTeamConversation } from './team-conversations.ts';
import { type VisitorCitation, visitorCitations } from './visitor-citations.ts';
import { findVisitorSatisfaction, type VisitorSatisfaction } from './visitor-satisfaction.ts';

export interface VisitorConversation {
  readonly id: string;
  readonly status: ConversationStatus;
  /** Message that is shown while the conversation waits for the team outside business hours. Otherwise null. */
  readonly outOfHoursText: string | null;
  /**
   * Question that asks the visitor how satisfied they were with the agent. Null if the visitor cannot answer it now.
   */
  readonly satisfaction: VisitorSatisfaction | null;
  /** Whether the agent who owns the conversation is currently typing a reply. */
  readonly isTeamTyping: boolean;
  /** Messages, oldest first. */
  readonly messages: readonly VisitorMessage[];
}

export interface VisitorMessage {
  readonly id: string;
  /** Position of the message in the conversation, from 1. */
  readonly position: number;
  readonly role: MessageRole;
  /**
   * Display name of the agent who sent the message. Null if the agent has none, if the widget does not show names, and
   * for other messages.
   */
  readonly authorName: string | null;
  readonly status: MessageStatus;
  readonly content: string;
  readonly citations: readonly VisitorCitation[];
  readonly rating: FeedbackRating | null;
  readonly createdAt: Date;
}

/** Visitors see only the latest messages of a long conversation. */
const maxMessages = 100;

/**
 * Returns a conversation of the visitor with its latest 100 messages.
 * @throws DomainError NOT_FOUND when the conversation belongs to another visitor
 */
export async function getVisitorConversation(
  context: Context,
  id: string,
): Promise<VisitorConversation> {
  const { visitor, service } = requireVisitor(context);
  const { status } = await requireOwnConversation(context, visitor, id);
  const outOfHoursText =
    status === 'HANDOFF_REQUESTED' ? await currentOutOfHoursText(service, visitor.projectId) : null;
  const ofConversation = { conversationId: id, projectId: visitor.projectId };
  const hasOpenHandoff = status === 'HANDOFF_REQUESTED' || status === 'HUMAN';
  const satisfaction = hasOpenHandoff
    ? null
    : await findVisitorSatisfaction(context, ofConversation);
  const last = await context.db.message.findMany({
    where: ofConversation,
    include: { feedback: true },
    orderBy: { position: 'desc' },
    take: maxMessages,
  });
  const showsNames = await areNamesShown(context, visitor.projectId, last);
  const messages = last.reverse().map((message) => {
    const { id, position, role, status, content, feedback, createdAt } = message;
    const authorName = showsNames ? message.authorName : null;
    const citations = visitorCitations(content, storedCitations(message));
    const rating = feedback?.rating ?? null;
    return { id, position, role, authorName, status, content, citations, rating, createdAt };
  });
  const isTeamTyping = isOwnerTyping(context, visitor.projectId, { id, status });
  return { id, status, outOfHoursText, satisfaction, isTeamTyping, messages };
}

/** Whether the widget shows the names of agents. Reads the widget only if a message has a name. */
async function areNamesShown(
  { db }: Context,
  projectId: string,
  messages: readonly { readonly authorName: string | null }[],
): Promise<boolean> {
  if (messages.every(({ authorName }) => authorName === null)) return false;
  const select = { agentNames: true };
  return (await db.widget.findUnique({ where: { projectId }, select }))?.agentNames === true;
}

function isOwnerTyping(
  { events }: Context,
  projectId: string,
  { id, status }: Pick<VisitorConversation, 'id' | 'status'>,
): boolean {
  if (status !== 'HUMAN') return false;
  const activities = events.activity.list({ projectId, conversationId: id });
  return activities.some(({ type, isOwner }) => type === 'TYPING' && isOwner);
}

async function currentOutOfHoursText(service: Context, projectId: string): Promise<string | null> {
  return outOfHoursMessageAt(await requireProject(service, projectId, 'chat'), new Date());
}

/** Maximum lifetime of a stream. After this time the stream closes and clients reconnect. */
const streamLifetimeMs = 10 * 60_000;

/** A change that the visitor sees. */
export interface VisitorUpdate {
  /** The watched conversation with only its new and changed messages. Null if no conversation is watched. */
  readonly conversation: VisitorConversation | null;
  /** The visitor's conversations with the team, including the watched conversation. */
  readonly teamConversations: readonly VisitorTeamConversation[];
}

/**
 * Emits a conversation of the visitor immediately, and again after each change to its messages or status, or when the
 * agent starts or stops typing. Later emissions contain only new and changed messages. Also emits when an agent replies
 * in another conversation of the visitor. Emits at least every 30 seconds, so that clients detect a broken connection.
 * Closes after ten minutes.
 *
 * @param id Id of the watched conversation. Null: emits only the list of conversations with the team.
 * @throws DomainError NOT_FOUND when the conversation belongs to another visitor
 * @throws DomainError FORBIDDEN when the site may no longer use the widget
 * @throws DomainError UNAVAILABLE when the service stops
 */
export async function* watchVisitor(
  context: Context,
  id: string | null,
): AsyncGenerator<VisitorUpdate, void, undefined> {
  const { visitor } = requireVisitor(context);
  if (id !== null) await requireOwnConversation(context, visitor, id);
  const { projectId } = visitor;
  const ids = new Set(id === null ? [] : [id]);
  const target = { topic: 'conversations', projectId, ids, includesActivity: true } as const;
  const subscription = subscribeCaller(context, target);
  const sentStates = new Map<string, string>();
  const endsAt = Date.now() + streamLifetimeMs;
  let teamConversations: readonly VisitorTeamConversation[] = [];
  let changes: ChangedIds | null = 'any';
  try {
    do {
      if (!isOnly(changes, id)) teamConversations = await readTeamConversations(context, ids);
      const conversation = id === null ? null : await readChanges(context, id, sentStates);
      yield { conversation, teamConversations };
      if (Date.now() > endsAt) return;
      changes = await subscription.next();
      if (changes === null) return;
      await reauthorizeVisitor(context, visitor);
    } while (!context.signal.aborted);
  } finally {
    subscription.close();
  }
}

/** Returns whether only the watched conversation has changed. */
function isOnly(changes: ChangedIds, id: string | null): boolean {
  return changes !== 'any' && changes.size === 1 && id !== null && changes.has(id);
}

/**
 * Reads the visitor's conversations with the team, and adds their ids to the ids that wake the subscription. After
 * adding ids, reads once more, because a reply may have arrived before its conversation was added.
 */
async function readTeamConversations(
  context: Context,
  ids: Set<string>,
): Promise<readonly VisitorTeamConversation[]> {
  const { visitor } = requireVisitor(context);
  const found = await listTeamConversations(context, visitor);
  const added = found.filter((conversation) => !ids.has(conversation.id));
  for (const conversation of added) ids.add(conversation.id);
  return added.length === 0 ? found : listTeamConversations(context, visitor);
}

/**
 * Returns the conversation with only the messages that have changed since they were last sent, and stores that they are
 * now sent.
 */
async function readChanges(
  context: Context,
  id: string,
  sentStates: Map<string, string>,
): Promise<VisitorConversation> {
  const conversation = await getVisitorConversation(context, id);
  const messages = conversation.messages.filter(
    (message) => sentStates.get(message.id) !== messageState(message),
  );
  for (const message of messages) sentStates.set(message.id, messageState(message));
  return { ...conversation, messages };
}

/**
 * Returns the part of a message that is compared to detect a change: the text of a holding message, or the status of
 * another message.
 */
function messageState({ status, content, role }: VisitorMessage): string {
  return role === 'SYSTEM' ? content : status;
}

/** A conversation in the visitor's list. */
export interface VisitorConversationSummary {
  readonly id: string;
  readonly title: string;
  readonly status: ConversationStatus;
  readonly lastMessageAt: Date;
  /** Positions of the agents' messages, latest first. Empty if the conversation is no longer recent. */
  readonly teamPositions: readonly number[];
}

const maxListed = 20;

/** Returns the visitor's conversations, at most 20, latest message first. */
export async function listVisitorConversations(
  context: Context,
): Promise<readonly VisitorConversationSummary[]> {
  const { visitor } = requireVisitor(context);
  const [conversations, withTeam] = await Promise.all([
    context.db.conversation.findMany({
      where: ownConversations(visitor),
      orderBy: [{ lastMessageAt: 'desc' }, { id: 'desc' }],
      take: maxListed,
    }),
    listTeamConversations(context, visitor),
  ]);
  const positions = new Map(withTeam.map(({ id, teamPositions }) => [id, teamPositions]));
  return conversations.map(({ id, title, status, lastMessageAt }) => {
    const teamPositions = positions.get(id) ?? [];
    return { id, title, status, lastMessageAt, teamPositions };
  });
}
