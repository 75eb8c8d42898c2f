import { notifications } from '@mantine/notifications';
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
import { useQuery } from 'urql';
import { graphql } from '../graphql/graphql.ts';
import { createLiveClient } from '../graphql/live-client.ts';
import { useSession } from '../session/session-gate.tsx';
import { useProject } from './project.tsx';

const inboxSubscription = graphql(`
  subscription InboxEvents($projectId: ID!, $after: String) {
    handoffInbox(projectId: $projectId, after: $after) {
      cursor
      type
      handoff {
        id
        conversationId
        name
        email
        reason
        claimedBy
      }
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

export type InboxEvent = ResultOf<typeof inboxSubscription>['handoffInbox'];

interface Live {
  readonly isConnected: boolean;
  /** How many handoffs wait for somebody; at most 100. */
  readonly waiting: number;
  /** Calls `onEvent` for each event of the inbox, and with null after a connection was made: look at everything anew. */
  listen(onEvent: (event: InboxEvent | null) => void): () => void;
}

const LiveContext = createContext<Live | null>(null);

/** The project's inbox as it happens. Only on the pages of a project. */
export function useLive(): Live {
  const live = use(LiveContext);
  if (live === null) throw new Error('There is no inbox here');
  return live;
}

/** Calls `onEvent` as `Live.listen` says, for as long as the component is shown. */
export function useInboxEvents(onEvent: (event: InboxEvent | null) => void): void {
  const { listen } = useLive();
  const latest = useRef(onEvent);
  useEffect(() => {
    latest.current = onEvent;
  });
  useEffect(() => listen((event) => latest.current(event)), [listen]);
}

/** Follows the inbox while any page of the project is open: one connection for all of them. */
export function LiveInbox({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const { id: projectId } = useProject();
  const [isConnected, setIsConnected] = useState(false);
  const listeners = useRef(new Set<(event: InboxEvent | null) => void>());
  const [{ data }, countAgain] = useQuery({ query: waitingQuery, variables: { projectId } });

  const tell = useCallback(
    (event: InboxEvent | null) => {
      countAgain({ requestPolicy: 'network-only' });
      for (const listener of listeners.current) listener(event);
    },
    [countAgain],
  );

  useEffect(() => {
    const leaving = new AbortController();
    let after: string | null = null;
    createLiveClient(session)
      .follow(inboxSubscription, {
        signal: leaving.signal,
        variables: () => ({ projectId, after }),
        onConnection: (isThere) => {
          setIsConnected(isThere);
          if (isThere) tell(null);
        },
        onEvent: ({ handoffInbox: event }) => {
          after = event.cursor;
          if (event.type === 'REQUESTED') announce(event);
          tell(event);
        },
      })
      .catch((error: Error) => {
        setIsConnected(false);
        notifications.show({
          color: 'red',
          title: 'The inbox is not live',
          message: error.message,
        });
      });
    return () => leaving.abort();
  }, [session, projectId, tell]);

  const listen = useCallback((onEvent: (event: InboxEvent | null) => void) => {
    listeners.current.add(onEvent);
    return () => {
      listeners.current.delete(onEvent);
    };
  }, []);

  const waiting = data?.handoffs.edges.length ?? 0;
  const live = useMemo(() => ({ isConnected, waiting, listen }), [isConnected, waiting, listen]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

function announce({ handoff }: InboxEvent): void {
  notifications.show({
    title: `${handoff.name ?? handoff.email ?? 'Somebody'} asks for a person`,
    message: handoff.reason ?? 'Open the inbox to answer.',
  });
}
