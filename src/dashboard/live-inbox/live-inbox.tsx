import type { ResultOf } from 'gql.tada';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useClient } from 'urql';
import { coalesceReloads } from '../graphql/coalesce-reloads.ts';
import { graphql } from '../graphql/graphql.ts';
import { reloadOperator } from '../project/operator.tsx';
import { useProject } from '../project/project.tsx';
import { useSession } from '../session/session-gate.tsx';
import { subscribeAcrossTabs } from '../subscriptions/subscribe-across-tabs.ts';
import { NonRetryableSubscriptionError } from '../subscriptions/subscribe-with-retry.ts';
import { useHandoffNotifications } from './handoff-notifications.tsx';

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

const waitingHandoffsQuery = graphql(`
  query WaitingHandoffs($projectId: ID!) {
    handoffs(projectId: $projectId, status: REQUESTED, first: 100) {
      edges {
        node {
          id
        }
      }
    }
  }
`);

/** `isFromThisTab`: whether this tab's own stream received the event. Otherwise another tab forwarded it. */
type InboxEvent = ResultOf<typeof inboxSubscription>['handoffInbox'] & {
  readonly isFromThisTab: boolean;
};

/** Ids of the conversations that changed. Null means that any conversation may have changed. */
export type InboxChange = ReadonlySet<string> | null;

interface InboxState {
  /** `lost`: live updates have stopped and the page no longer reconnects. */
  readonly connection: 'connecting' | 'connected' | 'lost';
  /** The number of waiting handoffs, at most 100. */
  readonly waitingCount: number;
  listen(onChange: (change: InboxChange) => void): () => void;
  /** Reloads everything. Call it after an action of this operator, because the event of the action may arrive late. */
  refresh(): void;
}

const LiveInboxContext = createContext<InboxState | null>(null);

/** Returns the live inbox of the project. Requires `LiveInboxProvider`. */
export function useLiveInbox(): InboxState {
  const live = use(LiveInboxContext);
  if (live === null) throw new Error('useLiveInbox requires LiveInboxProvider');
  return live;
}

/**
 * Calls `onChange` after inbox events and whenever the stream has connected, because events may have been missed
 * before.
 */
export function useInboxChanges(onChange: (change: InboxChange) => void): void {
  const { listen } = useLiveInbox();
  const onChangeRef = useRef(onChange);
  useEffect(() => {
    onChangeRef.current = onChange;
  });
  useEffect(() => listen((change) => onChangeRef.current(change)), [listen]);
}

/** Subscribes to the inbox while a page of the project is open. All tabs of the browser share one stream. */
export function LiveInboxProvider({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const client = useClient();
  const { id: projectId } = useProject();
  const [connection, setConnection] = useState<InboxState['connection']>('connecting');
  const listeners = useRef(new Set<(change: InboxChange) => void>());
  const notifyOfHandoffs = useHandoffNotifications();
  const [waitingCount, setWaitingCount] = useState(0);

  const countWaiting = useMemo(
    () =>
      coalesceReloads(async () => {
        const options = { requestPolicy: 'network-only' } as const;
        const { data } = await client
          .query(waitingHandoffsQuery, { projectId }, options)
          .toPromise();
        if (data != null) setWaitingCount(data.handoffs.edges.length);
      }),
    [client, projectId],
  );
  const notifyListeners = useCallback(
    (change: InboxChange) => {
      countWaiting();
      for (const listener of listeners.current) listener(change);
    },
    [countWaiting],
  );

  useEffect(() => {
    const controller = new AbortController();
    const batch = createEventBatch((events) => {
      notifyListeners(new Set(events.map(({ handoff }) => handoff.conversationId)));
      const statusChanges = events.filter(({ type, handoff }) => type === handoff.status);
      notifyOfHandoffs(
        statusChanges.filter(({ type }) => type === 'REQUESTED').map(({ handoff }) => handoff),
        statusChanges.some(({ isFromThisTab }) => isFromThisTab),
      );
    });
    const seenCursors = createSeenCursors();
    let after: string | null = null;
    const subscribeToInbox = async () => {
      const options = { requestPolicy: 'network-only' } as const;
      const { data } = await client.query(inboxCursorQuery, { projectId }, options).toPromise();
      if (controller.signal.aborted) return;
      after = data?.project?.inboxCursor ?? null;
      await subscribeAcrossTabs(session, `InboxEvents ${projectId}`, inboxSubscription, {
        signal: controller.signal,
        variables: () => ({ projectId, after }),
        onConnection: (isConnected) => {
          setConnection(isConnected ? 'connected' : 'connecting');
          if (isConnected) notifyListeners(null);
        },
        onEvent: ({ handoffInbox: event }, isFromThisTab) => {
          if (!seenCursors.add(event.cursor)) return;
          after = event.cursor;
          batch.add({ ...event, isFromThisTab });
        },
      });
    };
    const onSubscriptionError = (error: unknown) => {
      setConnection('lost');
      if (!(error instanceof NonRetryableSubscriptionError)) return;
      // Start again from the latest cursor. Every connection reloads all lists, so no event is missed.
      if (staleCursorCodes.includes(error.code)) subscribeToInbox().catch(onSubscriptionError);
      else reloadOperator(client);
    };
    countWaiting();
    subscribeToInbox().catch(onSubscriptionError);
    return () => {
      controller.abort();
      batch.close();
    };
  }, [session, client, projectId, countWaiting, notifyListeners, notifyOfHandoffs]);

  const listen = useCallback((onChange: (change: InboxChange) => void) => {
    listeners.current.add(onChange);
    return () => {
      listeners.current.delete(onChange);
    };
  }, []);

  const refresh = useCallback(() => notifyListeners(null), [notifyListeners]);
  const live = useMemo(
    () => ({ connection, waitingCount, listen, refresh }),
    [connection, waitingCount, listen, refresh],
  );
  return <LiveInboxContext value={live}>{children}</LiveInboxContext>;
}

const staleCursorCodes: readonly unknown[] = ['CURSOR_EXPIRED', 'VALIDATION_FAILED'];

/** Batches events that arrive within 50 ms, for example after a reconnect, so that lists reload once. */
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

const maxSeenCursors = 500;

/**
 * Returns a set of cursors that detects duplicate events. While one tab takes over the stream from another, both may
 * deliver the same event.
 */
function createSeenCursors() {
  const cursors = new Set<string>();
  return {
    /** Adds a cursor. Returns false if it was already in the set. */
    add(cursor: string): boolean {
      if (cursors.has(cursor)) return false;
      cursors.add(cursor);
      for (const oldest of cursors) {
        if (cursors.size <= maxSeenCursors) break;
        cursors.delete(oldest);
      }
      return true;
    },
  };
}
