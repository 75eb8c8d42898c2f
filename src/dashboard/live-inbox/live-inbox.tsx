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
import { useOperator } from '../project/operator.tsx';
import { useProject } from '../project/project.tsx';
import { useSession } from '../session/session-gate.tsx';
import { createEventNotices } from './event-notices.ts';
import { useInboxNotifications } from './inbox-notifications.tsx';
import { type InboxConnection, subscribeToInbox } from './subscribe-to-inbox.ts';
import { useAssignmentNotices } from './use-assignment-notices.ts';
import { type HandoffCounts, useMenuCounts } from './use-menu-counts.ts';

/** Ids of the conversations that changed. Null means that any conversation may have changed. */
export type InboxChange = ReadonlySet<string> | null;

interface InboxState {
  readonly connection: InboxConnection;
  readonly counts: HandoffCounts;
  /** Number of unanswered questions that are open. Null until it is known. */
  readonly openQuestions: number | null;
  listen(onChange: (change: InboxChange) => void): () => void;
  /** Reloads everything. Call it after an action of this operator, because the event of the action may arrive late. */
  refresh(): void;
  /** Reloads lists and counts, but no transcripts. */
  refreshLists(): void;
  /** Reloads the counts and the number of open questions. Call it after a decision about a question. */
  refreshQuestions(): void;
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

/** Subscribes to the inbox while a page of the project is open. */
export function LiveInboxProvider({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const client = useClient();
  const { id: projectId } = useProject();
  const { email } = useOperator();
  const [connection, setConnection] = useState<InboxConnection>('connecting');
  const { counts, openQuestions, reloadCounts, reloadQuestions } = useMenuCounts();
  const listeners = useRef(new Set<(change: InboxChange) => void>());
  const notify = useInboxNotifications();
  useAssignmentNotices(notify);

  const notifyListeners = useCallback(
    (change: InboxChange) => {
      reloadCounts();
      for (const listener of listeners.current) listener(change);
    },
    [reloadCounts],
  );

  useEffect(() => {
    const { readOwnHandoffs, noticesOf } = createEventNotices(client, projectId, email);
    reloadCounts();
    const unsubscribe = subscribeToInbox(session, client, projectId, {
      onConnection(changed) {
        setConnection(changed);
        if (changed !== 'connected') return;
        void readOwnHandoffs();
        notifyListeners(null);
      },
      onEvents(events) {
        notifyListeners(new Set(events.map(({ handoff }) => handoff.conversationId)));
        const isFromThisTab = events.some((event) => event.isFromThisTab);
        for (const notice of noticesOf(events)) notify(notice, isFromThisTab);
      },
    });
    return () => {
      unsubscribe();
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
    () => ({
      ...{ connection, counts, openQuestions, listen },
      ...{ refresh, refreshLists, refreshQuestions: reloadQuestions },
    }),
    [connection, counts, openQuestions, listen, refresh, refreshLists, reloadQuestions],
  );
  return <LiveInboxContext value={live}>{children}</LiveInboxContext>;
}
