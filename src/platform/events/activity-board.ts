/** Current activity of a person in a conversation. No table stores it. */
export type ActivityType = 'TYPING' | 'VIEWING';

export interface Activity {
  readonly type: ActivityType;
  /** The agent, in the form that handoffs store. Null means the end user. */
  readonly actor: string | null;
  /** Whether the actor owns the conversation. */
  readonly isOwner: boolean;
}

/** Signals that an activity has started, continues, or has stopped. This process or another process sends it. */
export interface ActivitySignal extends Activity {
  readonly projectId: string;
  readonly conversationId: string;
  /** Distinguishes the streams of one actor, because one stream may close while another stays open. */
  readonly stream: string;
  /** Milliseconds until the activity ends, unless another signal extends it. 0 ends the activity at once. */
  readonly lifetimeMs: number;
}

/** The current activities in the conversations of all projects that this process has received. */
export interface ActivityBoard {
  /** Returns the activities in a conversation. The activity that started last is the last one. */
  list(target: ConversationTarget): readonly Activity[];
  apply(signal: ActivitySignal): void;
  clear(): void;
}

export interface ConversationTarget {
  readonly projectId: string;
  readonly conversationId: string;
}

/** A flood of signals must not fill the memory. Above these two limits, new activities are ignored. */
const maxPerConversation = 20;
const maxConversations = 10_000;

/**
 * Creates an empty board. Activities expire, so that nobody seems to type forever after a process has crashed. A signal
 * that only extends an activity does not call `onChange`.
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
