import { type Subscription, subscribe } from '../support/subscription.ts';

interface InboxEvent {
  readonly handoffInbox: { readonly cursor: string };
}

const inbox = `subscription ($projectId: ID!, $after: String) {
  handoffInbox(projectId: $projectId, after: $after) { cursor type }
}`;

/** An agent's screen: comes back with its last cursor whenever the stream ends or breaks off. */
export function watchInbox(url: string, token: string, projectId: string) {
  const cursors: string[] = [];
  const leaving = new AbortController();
  let reconnects = -1;
  let events: Subscription<InboxEvent> | null = null;
  const watch = async () => {
    while (!leaving.signal.aborted) {
      try {
        const after = cursors.at(-1) ?? null;
        reconnects += 1;
        events = await subscribe(`${url}/graphql/stream`, token, inbox, { projectId, after });
        for (;;) {
          const [event] = await events.take(1);
          if (event !== undefined) cursors.push(event.handoffInbox.cursor);
        }
      } catch {
        events?.leave();
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  };
  const watching = watch();
  return {
    /** Of all events so far. */
    cursors,
    get reconnects() {
      return reconnects;
    },
    async leave(): Promise<void> {
      leaving.abort();
      events?.leave();
      await watching;
    },
  };
}
