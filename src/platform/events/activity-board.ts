/** Current activity of a person in a conversation. No table stores it. */
export type ActivityType = 'TYPING' | 'VIEWING';

export interface Activity {
  readonly type: ActivityType;
  /** The agent, as stored for the agent's work on handoffs. Null: the end user. */
  readonly actor: string | null;
  /** Whether the actor owns the conversation. */
  readonly isOwner: boolean;
}

/** A signal of another process, or of this one, that an activity has started, goes on, or has stopped. */
export interface ActivitySignal extends Activity {
  readonly projectId: string;
  readonly conversationId: string;
  /** Distinguishes the streams of one actor. One may close while another stays open. */
  readonly stream: string;
  /** Milliseconds until the activity ends unless it is signalled again. 0 ends it. */
  readonly lifetimeMs: number;
}

/** The activities in the conversations of all projects, as far as this process knows. */
export interface ActivityBoard {
  /** Returns the activities in a conversation. The latest started is last. */
  list(target: ConversationTarget): readonly Activity[];
  apply(signal: ActivitySignal): void;
  clear(): void;
}

export interface ConversationTarget {
  readonly projectId: string;
  readonly conversationId: string;
}

/** A flood of signals must not fill the memory. Above these numbers, new activities are ignored. */
const maxPerConversation = 20;
const maxConversations = 10_000;

/**
 * Creates an empty board. Activities expire by themselves, so that nobody types for ever in a process that died. A
 * signal that only extends an activity calls nobody.
 *
 * @param onChange Called when an activity starts or ends.
 */
export function createActivityBoard(onChange: (target: ConversationTarget) => void): ActivityBoard {
  const conversations = new Map<string, Map<string, Entry>>();

  const remove = (target: ConversationTarget, key: string) => {
    const name = nameOf(target);
    const entries = conversations.get(name);
    const entry = entries?.get(key);
    if (entries === undefined || entry === undefined) return;
    clearTimeout(entry.timer);
    entries.delete(key);
    if (entries.size === 0) conversations.delete(name);
    onChange(target);
  };
  return {
    list: (target) =>
      [...(conversations.get(nameOf(target))?.values() ?? [])].map(({ activity }) => activity),
    apply({ projectId, conversationId, stream, lifetimeMs, type, actor, isOwner }) {
      const target = { projectId, conversationId };
      const key = JSON.stringify([type, actor, stream]);
      if (lifetimeMs <= 0) return remove(target, key);
      const entries = conversations.get(nameOf(target)) ?? new Map<string, Entry>();
      const known = entries.get(key);
      if (known === undefined) {
        if (entries.size >= maxPerConversation || conversations.size >= maxConversations) return;
        conversations.set(nameOf(target), entries);
      } else clearTimeout(known.timer);
      const timer = setTimeout(() => remove(target, key), lifetimeMs).unref();
      entries.set(key, { activity: { type, actor, isOwner }, timer });
      if (known?.activity.isOwner !== isOwner) onChange(target);
    },
    clear() {
      for (const entries of conversations.values()) {
        for (const { timer } of entries.values()) clearTimeout(timer);
      }
      conversations.clear();
    },
  };
}

interface Entry {
  readonly activity: Activity;
  readonly timer: NodeJS.Timeout;
}

function nameOf({ projectId, conversationId }: ConversationTarget): string {
  return `${projectId} ${conversationId}`;
}
