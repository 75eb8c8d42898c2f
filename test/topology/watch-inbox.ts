import { type Subscription, subscribe } from '../support/api/subscription.ts';
import { waitUntil } from '../support/wait-until.ts';

interface InboxEvent {
  readonly handoffInbox: { readonly cursor: string };
}

const inbox = `subscription ($projectId: ID!, $after: String) {
  handoffInbox(projectId: $projectId, after: $after) { cursor type }
}`;

/**
 * Subscribes to the inbox as an agent's dashboard does. If the stream ends or fails, reconnects with the last cursor.
 */
export function watchInbox(url: string, token: string, projectId: string) {
  const cursors: string[] = [];
  const abortController = new AbortController();
  let reconnects = -1;
  let events: Subscription<InboxEvent> | null = null;
  /** Reads until the stream ends or fails. Returns whether the inbox was closed in the meantime. */
  const watch = async () => {
    if (abortController.signal.aborted) return true;
    try {
      const after = cursors.at(-1) ?? null;
      reconnects += 1;
      events = await subscribe(`${url}/graphql/stream`, token, inbox, { projectId, after });
      for (;;) {
        const [event] = await events.take(1);
        if (event !== undefined) cursors.push(event.handoffInbox.cursor);
      }
    } catch {
      events?.disconnect();
    }
    return abortController.signal.aborted;
  };
  const watching = waitUntil(watch, { timeoutMs: Number.POSITIVE_INFINITY, intervalMs: 100 });
  return {
    /** Cursors of all events that were received. */
    cursors,
    get reconnects() {
      return reconnects;
    },
    async leave(): Promise<void> {
      abortController.abort();
      events?.disconnect();
      await watching;
    },
  };
}
