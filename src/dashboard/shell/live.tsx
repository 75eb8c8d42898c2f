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
import { graphql } from '../graphql/graphql.ts';
import { Unfollowable } from '../graphql/live-client.ts';
import { followInAllTabs } from '../graphql/live-tabs.ts';
import { createRefresh } from '../graphql/refresh.ts';
import { useSession } from '../session/session-gate.tsx';
import { useAnnouncement } from './announcement.tsx';
import { reloadOperator } from './operator.tsx';
import { useProject } from './project.tsx';

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

const cursorQuery = graphql(`
  query InboxCursor($projectId: ID!) {
    project(id: $projectId) {
      id
      inboxCursor
    }
  }
`);

const waitingQuery = graphql(`
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

/** `isHere`: by this tab's own stream. */
type HeardEvent = ResultOf<typeof inboxSubscription>['handoffInbox'] & { readonly isHere: boolean };

/** The conversations about which something has happened; null for: look at everything anew. */
export type InboxChange = ReadonlySet<string> | null;

interface Live {
  /** `lost`: what happens is not heard, and the service no longer asked. */
  readonly connection: 'connecting' | 'connected' | 'lost';
  /** How many handoffs wait for somebody; at most 100. */
  readonly waiting: number;
  listen(onChange: (change: InboxChange) => void): () => void;
  /** Looks at everything anew, as after one's own action: the event of it may be late. */
  refresh(): void;
}

const LiveContext = createContext<Live | null>(null);

/** The project's inbox as it happens. Only on the pages of a project. */
export function useLive(): Live {
  const live = use(LiveContext);
  if (live === null) throw new Error('There is no inbox here');
  return live;
}

/** Calls `onChange` when something has happened in the inbox, and after each connection. */
export function useInboxChanges(onChange: (change: InboxChange) => void): void {
  const { listen } = useLive();
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => listen((change) => latest.current(change)), [listen]);
}

/** Follows the inbox while any page of the project is open: one stream for all of them, in all tabs. */
export function LiveInbox({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const client = useClient();
  const { id: projectId } = useProject();
  const [connection, setConnection] = useState<Live['connection']>('connecting');
  const listeners = useRef(new Set<(change: InboxChange) => void>());
  const announce = useAnnouncement();
  const [waiting, setWaiting] = useState(0);

  const count = useMemo(
    () =>
      createRefresh(async () => {
        const options = { requestPolicy: 'network-only' } as const;
        const { data } = await client.query(waitingQuery, { projectId }, options).toPromise();
        if (data != null) setWaiting(data.handoffs.edges.length);
      }),
    [client, projectId],
  );
  const tell = useCallback(
    (change: InboxChange) => {
      count();
      for (const listener of listeners.current) listener(change);
    },
    [count],
  );

  useEffect(() => {
    const leaving = new AbortController();
    const batch = createBatch((events) => {
      tell(new Set(events.map(({ handoff }) => handoff.conversationId)));
      const news = events.filter(({ type, handoff }) => type === handoff.status);
      announce(
        news.filter(({ type }) => type === 'REQUESTED').map(({ handoff }) => handoff),
        { isHere: news.some(({ isHere }) => isHere) },
      );
    });
    const seen = createSeen();
    let after: string | null = null;
    const followInbox = async () => {
      const options = { requestPolicy: 'network-only' } as const;
      const { data } = await client.query(cursorQuery, { projectId }, options).toPromise();
      if (leaving.signal.aborted) return;
      after = data?.project?.inboxCursor ?? null;
      await followInAllTabs(session, `InboxEvents ${projectId}`, inboxSubscription, {
        signal: leaving.signal,
        variables: () => ({ projectId, after }),
        onConnection: (isThere) => {
          setConnection(isThere ? 'connected' : 'connecting');
          if (isThere) tell(null);
        },
        onEvent: ({ handoffInbox: event }, isHere) => {
          if (!seen.add(event.cursor)) return;
          after = event.cursor;
          batch.add({ ...event, isHere });
        },
      });
    };
    const giveUp = (error: unknown) => {
      setConnection('lost');
      if (!(error instanceof Unfollowable)) return;
      // Everything is read anew after the connection, so that nothing behind the cursor is missed.
      if (staleCursorCodes.includes(error.code)) followInbox().catch(giveUp);
      else reloadOperator(client);
    };
    count();
    followInbox().catch(giveUp);
    return () => {
      leaving.abort();
      batch.close();
    };
  }, [session, client, projectId, count, tell, announce]);

  const listen = useCallback((onChange: (change: InboxChange) => void) => {
    listeners.current.add(onChange);
    return () => {
      listeners.current.delete(onChange);
    };
  }, []);

  const refresh = useCallback(() => tell(null), [tell]);
  const live = useMemo(
    () => ({ connection, waiting, listen, refresh }),
    [connection, waiting, listen, refresh],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}

const staleCursorCodes: readonly unknown[] = ['CURSOR_EXPIRED', 'VALIDATION_FAILED'];

/** Collects what comes in quick succession, as after a break, so that it is looked at once. */
function createBatch(flush: (events: readonly HeardEvent[]) => void) {
  let events: HeardEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    add(event: HeardEvent) {
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

const mostSeen = 500;

/** An event may come twice while one tab takes the stream over from another. */
function createSeen() {
  const cursors = new Set<string>();
  return {
    /** Gives false for one that has been added. */
    add(cursor: string): boolean {
      if (cursors.has(cursor)) return false;
      cursors.add(cursor);
      for (const oldest of cursors) {
        if (cursors.size <= mostSeen) break;
        cursors.delete(oldest);
      }
      return true;
    },
  };
}
