import type { TadaDocumentNode } from 'gql.tada';
import { useEffect, useRef } from 'react';
import { getOperationName } from 'urql';
import { useSession } from '../session/session-gate.tsx';
import { runWhileVisible } from './leader-tab.ts';
import { subscribeAcrossTabs } from './subscribe-across-tabs.ts';

/**
 * Calls `onChange` after each event. Also calls it whenever the stream has connected, because events may have been
 * missed before. The subscription is active only while the tab is visible.
 */
export function useChangeSubscription<Data, Variables extends Record<string, unknown>>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  onChange: () => void,
): void {
  const session = useSession();
  const onChangeRef = useRef(onChange);
  useEffect(() => {
    onChangeRef.current = onChange;
  });
  const key = JSON.stringify(variables);
  useEffect(() => {
    const controller = new AbortController();
    runWhileVisible(controller.signal, (signal) =>
      subscribeAcrossTabs(session, `${getOperationName(document)} ${key}`, document, {
        signal,
        variables: () => JSON.parse(key) as Variables,
        onEvent: () => onChangeRef.current(),
        onConnection: (isConnected) => isConnected && onChangeRef.current(),
      }),
    )
      // The page stays usable without live updates.
      .catch(() => {});
    return () => controller.abort();
  }, [session, document, key]);
}
