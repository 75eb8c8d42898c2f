import type { ResultOf } from 'gql.tada';
import type { Client } from 'urql';
import { graphql } from '../graphql/graphql.ts';
import { reloadOperator } from '../project/operator.tsx';
import type { Session } from '../session/session.ts';
import { subscribeAcrossTabs } from '../subscriptions/subscribe-across-tabs.ts';
import { NonRetryableSubscriptionError } from '../subscriptions/subscribe-with-retry.ts';
import { createSeenCursors } from './seen-cursors.ts';

const inboxSubscription = graphql(`
  subscription InboxEvents($projectId: ID!, $after: String) {
    handoffInbox(projectId: $projectId, after: $after) {
      cursor
      type
      handoff {
        id
        status
        conversationId
        name
        email
        reason
        claimedBy
      }
      message {
        id
        role
        content
      }
    }
  }
`);

const inboxCursorQuery = graphql(`
  query InboxCursor($projectId: ID!) {
    project(id: $projectId) {
      id
      inboxCursor
    }
  }
`);

/** `isFromThisTab`: whether this tab's own stream received the event. If false, another tab forwarded the event. */
export type InboxEvent = ResultOf<typeof inboxSubscription>['handoffInbox'] & {
  readonly isFromThisTab: boolean;
};

/** `lost`: live updates have stopped and the page no longer reconnects. */
export type InboxConnection = 'connecting' | 'connected' | 'lost';

/**
 * Subscribes to the inbox of the project. All tabs of the browser share one event stream. Returns a function that
 * cancels the subscription.
 */
export function subscribeToInbox(
  session: Session,
  client: Client,
  projectId: string,
  {
    onConnection,
    onEvents,
  }: {
    readonly onConnection: (connection: InboxConnection) => void;
    readonly onEvents: (events: readonly InboxEvent[]) => void;
  },
): () => void {
  const controller = new AbortController();
  const batch = createEventBatch(onEvents);
  const seenCursors = createSeenCursors();
  let after: string | null = null;
  const subscribe = async () => {
    const options = { requestPolicy: 'network-only' } as const;
    const { data } = await client.query(inboxCursorQuery, { projectId }, options).toPromise();
    if (controller.signal.aborted) return;
    after = data?.project?.inboxCursor ?? null;
    await subscribeAcrossTabs(session, `InboxEvents ${projectId}`, inboxSubscription, {
      signal: controller.signal,
      variables: () => ({ projectId, after }),
      onConnection: (isConnected) => onConnection(isConnected ? 'connected' : 'connecting'),
      onEvent: ({ handoffInbox: event }, isFromThisTab) => {
        if (!seenCursors.add(event.cursor)) return;
        after = event.cursor;
        batch.add({ ...event, isFromThisTab });
      },
    });
  };
  const onError = (error: unknown) => {
    onConnection('lost');
    if (!(error instanceof NonRetryableSubscriptionError)) return;
    // Start again from the latest cursor. Every connection reloads all lists, so no event is missed.
    if (staleCursorCodes.includes(error.code)) subscribe().catch(onError);
    else reloadOperator(client);
  };
  subscribe().catch(onError);
  return () => {
    controller.abort();
    batch.close();
  };
}

const staleCursorCodes: readonly unknown[] = ['CURSOR_EXPIRED', 'VALIDATION_FAILED'];

/** Collects events that arrive within 50 ms, for example after a reconnect, so that lists reload only once. */
function createEventBatch(flush: (events: readonly InboxEvent[]) => void) {
  let events: InboxEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    add(event: InboxEvent) {
      events.push(event);
      timer ??= setTimeout(() => {
        const all = events;
        events = [];
        timer = undefined;
        flush(all);
      }, 50);
    },
    close: () => clearTimeout(timer),
  };
}
