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
import { reloadOptions } from '../graphql/fetch-with-timeout.ts';
import { graphql } from '../graphql/graphql.ts';
import { reloadOperator, useOperator } from '../project/operator.tsx';
import { useProject } from '../project/project.tsx';
import { useSession } from '../session/session-gate.tsx';
import { subscribeAcrossTabs } from '../subscriptions/subscribe-across-tabs.ts';
import { NonRetryableSubscriptionError } from '../subscriptions/subscribe-with-retry.ts';
import { noticeOfAgent, noticeOfMessages, noticeOfRequests } from './inbox-notices.ts';
import { useInboxNotifications } from './inbox-notifications.tsx';
import { createSeenCursors } from './seen-cursors.ts';
import { useAssignmentNotices } from './use-assignment-notices.ts';

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

const ownHandoffsQuery = graphql(`
  query OwnHandoffs($projectId: ID!, $email: String!) {
    handoffs(projectId: $projectId, status: CLAIMED, claimedBy: $email, first: 100) {
      edges {
        node {
          id
        }
      }
    }
  }
`);

const handoffCountsQuery = graphql(`
  query HandoffCounts($projectId: ID!) {
    handoffCounts(projectId: $projectId, latestOnly: true) {
      waiting
      claimed
      mine
      unread
      resolved
    }
  }
`);

/**
 * Counts of conversations with a handoff. Each count is at most 100. `unread` counts the operator's own conversations
 * with new messages.
 */
export type HandoffCounts = ResultOf<typeof handoffCountsQuery>['handoffCounts'];

const noCounts: HandoffCounts = { waiting: 0, claimed: 0, mine: 0, unread: 0, resolved: 0 };

/** `isFromThisTab`: whether this tab's own stream received the event. If false, another tab forwarded the event. */
type InboxEvent = ResultOf<typeof inboxSubscription>['handoffInbox'] & {
  readonly isFromThisTab: boolean;
};

/** Ids of the conversations that changed. Null means that any conversation may have changed. */
export type InboxChange = ReadonlySet<string> | null;

interface InboxState {
  /** `lost`: live updates have stopped and the page no longer reconnects. */
  readonly connection: 'connecting' | 'connected' | 'lost';
  readonly counts: HandoffCounts;
  listen(onChange: (change: InboxChange) => void): () => void;
  /** Reloads everything. Call it after an action of this operator, because the event of the action may arrive late. */
  refresh(): void;
  /** Reloads lists and counts, but no transcripts. */
  refreshLists(): void;
}

const LiveInboxContext = createContext<InboxState | null>(null);

/** Returns the live inbox of the project. Requires `LiveInboxProvider`. */
export function useLiveInbox(): InboxState {
  const live = use(LiveInboxContext);
  if (live === null) throw new Error('useLiveInbox requires LiveInboxProvider');
  return live;
}

/**
 * Calls `onChange` after inbox events. Also calls it whenever the stream has connected, because events may have been
 * missed before.
 */
export function useInboxChanges(onChange: (change: InboxChange) => void): void {
  const { listen } = useLiveInbox();
  const onChangeRef = useRef(onChange);
  useEffect(() => {
    onChangeRef.current = onChange;
  });
  useEffect(() => listen((change) => onChangeRef.current(change)), [listen]);
}

/** Subscribes to the inbox while a page of the project is open. All tabs of the browser share one event stream. */
export function LiveInboxProvider({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const client = useClient();
  const { id: projectId } = useProject();
  const [connection, setConnection] = useState<InboxState['connection']>('connecting');
  const listeners = useRef(new Set<(change: InboxChange) => void>());
  const notify = useInboxNotifications();
  useAssignmentNotices(notify);
  const { email } = useOperator();
  const [counts, setCounts] = useState(noCounts);

  const reloadCounts = useMemo(
    () =>
      coalesceReloads(async () => {
        const { data, error } = await client
          .query(handoffCountsQuery, { projectId }, reloadOptions)
          .toPromise();
        if (data != null) setCounts(data.handoffCounts);
        return error;
      }),
    [client, projectId],
  );
  const notifyListeners = useCallback(
    (change: InboxChange) => {
      reloadCounts();
      for (const listener of listeners.current) listener(change);
    },
    [reloadCounts],
  );

  useEffect(() => {
    const controller = new AbortController();
    const batch = createEventBatch((events) => {
      notifyListeners(new Set(events.map(({ handoff }) => handoff.conversationId)));
      const isFromThisTab = events.some((event) => event.isFromThisTab);
      for (const notice of noticesOf(events, email)) notify(notice, isFromThisTab);
      for (const { type, handoff } of events) {
        if (type === 'MESSAGE') continue;
        const { claimedBy: after } = handoff;
        const change = { ...handoff, before: agents.get(handoff.id) ?? null, after };
        agents.set(handoff.id, after);
        const notice = handoff.status === 'CLAIMED' ? noticeOfAgent(change, email) : null;
        if (notice !== null) notify(notice, isFromThisTab);
      }
    });
    /**
     * The agent of each handoff that the operator owned when the stream connected, and of each handoff with an event
     * since then.
     */
    const agents = new Map<string, string | null>();
    const readOwnHandoffs = async () => {
      if (email === null) return;
      const variables = { projectId, email };
      const { data } = await client.query(ownHandoffsQuery, variables, reloadOptions).toPromise();
      for (const { node } of data?.handoffs.edges ?? []) agents.set(node.id, email);
    };
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
          if (!isConnected) return;
          void readOwnHandoffs();
          notifyListeners(null);
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
    reloadCounts();
    subscribeToInbox().catch(onSubscriptionError);
    return () => {
      controller.abort();
      batch.close();
      reloadCounts.stop();
    };
  }, [session, client, projectId, reloadCounts, notifyListeners, notify, email]);

  const listen = useCallback((onChange: (change: InboxChange) => void) => {
    listeners.current.add(onChange);
    return () => {
      listeners.current.delete(onChange);
    };
  }, []);

  const refresh = useCallback(() => notifyListeners(null), [notifyListeners]);
  const refreshLists = useCallback(() => notifyListeners(new Set()), [notifyListeners]);
  const live = useMemo(
    () => ({ connection, counts, listen, refresh, refreshLists }),
    [connection, counts, listen, refresh, refreshLists],
  );
  return <LiveInboxContext value={live}>{children}</LiveInboxContext>;
}

/** Returns the notices for the operator: of new requests, and of messages in the operator's own conversations. */
function noticesOf(events: readonly InboxEvent[], email: string | null) {
  const requests = events
    .filter(({ type, handoff }) => type === 'REQUESTED' && handoff.status === 'REQUESTED')
    .map(({ handoff }) => handoff);
  const messages = events.flatMap(({ message, handoff }) => {
    const isMine = handoff.status === 'CLAIMED' && handoff.claimedBy === email;
    return isMine && message?.role === 'USER' ? [{ ...handoff, content: message.content }] : [];
  });
  return [noticeOfRequests(requests), noticeOfMessages(messages)].filter(
    (notice) => notice !== null,
  );
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
