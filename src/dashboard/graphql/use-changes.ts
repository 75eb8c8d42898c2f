import type { TadaDocumentNode } from 'gql.tada';
import { useEffect, useRef } from 'react';
import { getOperationName } from 'urql';
import { useSession } from '../session/session-gate.tsx';
import { whileVisible } from './in-one-tab.ts';
import { followInAllTabs } from './live-tabs.ts';

/**
 * Calls `onChange` at each event, and after each connection, since something may have been missed before it. Follows
 * only while the tab is looked at.
 */
export function useChanges<Data, Variables extends Record<string, unknown>>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  onChange: () => void,
): void {
  const session = useSession();
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  const key = JSON.stringify(variables);
  useEffect(() => {
    const leaving = new AbortController();
    whileVisible(leaving.signal, (signal) =>
      followInAllTabs(session, `${getOperationName(document)} ${key}`, document, {
        signal,
        variables: () => JSON.parse(key) as Variables,
        onEvent: () => latest.current(),
        onConnection: (isConnected) => isConnected && latest.current(),
      }),
    )
      // What is shown stays, without being live.
      .catch(() => {});
    return () => leaving.abort();
  }, [session, document, key]);
}
