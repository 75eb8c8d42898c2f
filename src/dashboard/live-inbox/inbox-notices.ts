/** Texts and target of a browser notification. It replaces an earlier notification with the same tag. */
export interface Notice {
  readonly tag: string;
  readonly title: string;
  readonly message: string;
  /** Path relative to the project's inbox. */
  readonly path: string;
  /** Whether the notice is also shown in the inbox. Needed if the inbox may show a different list. */
  readonly isShownInInbox?: boolean;
  /** Id of the project whose inbox the notice opens. Default: the current project. */
  readonly projectId?: string;
}

interface Requester {
  readonly conversationId: string;
  readonly name: string | null;
  readonly email: string | null;
}

/** A newly requested handoff. */
interface NewHandoff extends Requester {
  readonly id: string;
  readonly reason: string | null;
}

interface NewMessage extends Requester {
  readonly content: string;
}

/** Whether the page at `location` shows the conversation of a notice. `inbox` is the path of the project's inbox. */
export function isConversationOpen({ path }: Notice, location: string, inbox: string): boolean {
  const page = path.split('?')[0];
  return page !== '' && location === `${inbox}${page}`;
}

/** Returns the notice of new requests, or null if there are no requests. */
export function noticeOfRequests(handoffs: readonly NewHandoff[]): Notice | null {
  const [first] = handoffs;
  if (first === undefined) return null;
  const isSingle = handoffs.length === 1;
  return {
    tag: first.id,
    title: isSingle
      ? `${first.name ?? first.email ?? 'Someone'} asks for an agent`
      : `${handoffs.length} people ask for an agent`,
    message: (isSingle && first.reason) || 'Open the inbox to reply.',
    path: isSingle ? `/${first.conversationId}` : '',
  };
}

/** Returns the notice of messages in the operator's conversations, or null if there are no messages. */
export function noticeOfMessages(messages: readonly NewMessage[]): Notice | null {
  const latest = messages.at(-1);
  if (latest === undefined) return null;
  const conversations = new Set(messages.map(({ conversationId }) => conversationId));
  const isSingle = conversations.size === 1;
  return {
    tag: latest.conversationId,
    title: isSingle
      ? `${latest.name ?? latest.email ?? 'Someone'} writes`
      : `New messages in ${conversations.size} of your conversations`,
    message: isSingle ? latest.content.slice(0, 300) : 'Open the inbox to reply.',
    path: `${isSingle ? `/${latest.conversationId}` : ''}?show=mine`,
  };
}

/**
 * A handoff whose agent has changed. In `before` and `after`, null means that there is no agent or that the agent is
 * unknown.
 */
export interface AgentChange extends Requester {
  readonly reason: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Returns the notice that a conversation was given to the operator or taken from the operator. Returns null for other
 * changes.
 */
export function noticeOfAgent(change: AgentChange, operator: string | null): Notice | null {
  const { conversationId, name, email, reason, before, after } = change;
  if (operator === null || before === after) return null;
  const visitor = name ?? email ?? 'an end user';
  const common = {
    tag: `${conversationId} agent`,
    path: `/${conversationId}`,
    isShownInInbox: true,
  };
  if (after === operator) {
    const message = reason ?? 'Open the inbox to reply.';
    return { ...common, title: `The conversation with ${visitor} is yours`, message };
  }
  if (before !== operator) return null;
  const title = `The conversation with ${visitor} is no longer yours`;
  return { ...common, title, message: `It is with ${after ?? 'nobody'} now.` };
}
