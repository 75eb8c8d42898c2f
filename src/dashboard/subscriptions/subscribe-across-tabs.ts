import type { TadaDocumentNode } from 'gql.tada';
import type { Session } from '../session/session.ts';
import { runInLeaderTab } from './leader-tab.ts';
import { type SubscriptionHandlers, subscribeWithRetry } from './subscribe-with-retry.ts';

/** Messages between tabs. */
type TabMessage<Data> =
  | { readonly event: Data }
  /** The state of the stream. The leader tab sends it after each change and on request. */
  | { readonly isConnected: boolean }
  /** A new tab sends this to request the state of the stream. */
  | { readonly isConnectedRequested: true };

/** Maximum time for which the old leader keeps its stream open after another tab has taken over. */
const takeoverTimeoutMs = 5_000;

/**
 * Shares one SSE stream between all tabs of the browser, because HTTP/1.1 allows six connections to a host. Retries in
 * the same way as `subscribeWithRetry`. An event may arrive twice while one tab takes over from another tab.
 * @param name Identifies the subscription. All tabs must use the same name.
 */
export async function subscribeAcrossTabs<Data, Variables extends Record<string, unknown>>(
  session: Session,
  name: string,
  document: TadaDocumentNode<Data, Variables>,
  { variables, onEvent, onConnection, signal }: SubscriptionHandlers<Data, Variables>,
): Promise<void> {
  const channel = new BroadcastChannel(name);
  const closeController = new AbortController();
  const stopSignal = AbortSignal.any([signal, closeController.signal]);
  const broadcast = (message: TabMessage<Data>) => channel.postMessage(message);
  /** The stream of this tab. Null unless this tab is the leader. */
  let ownStream: { isConnected: boolean } | null = null;
  channel.addEventListener('message', ({ data: message }: MessageEvent<TabMessage<Data>>) => {
    if (stopSignal.aborted) return;
    if ('event' in message) onEvent(message.event, false);
    else if ('isConnected' in message) onConnection(message.isConnected);
    else if (ownStream !== null) broadcast({ isConnected: ownStream.isConnected });
  });

  const runStream = async (leaderSignal: AbortSignal) => {
    const stream = { isConnected: false };
    ownStream = stream;
    leaderSignal.addEventListener('abort', () => {
      if (ownStream === stream) ownStream = null;
    });
    await subscribeWithRetry(session, document, {
      variables,
      signal: createTakeoverSignal(leaderSignal, stopSignal, channel),
      onEvent: (event) => {
        broadcast({ event });
        onEvent(event, true);
      },
      onConnection: (isConnected) => {
        if (leaderSignal.aborted) return;
        stream.isConnected = isConnected;
        broadcast({ isConnected });
        onConnection(isConnected);
      },
    });
  };

  broadcast({ isConnectedRequested: true });
  try {
    await runInLeaderTab(name, signal, runStream);
  } finally {
    closeController.abort();
    channel.close();
  }
}

/**
 * Returns the signal that closes this tab's stream after a takeover. The signal aborts when the new leader is
 * connected, or after the timeout. If it aborted earlier, events in between would be lost.
 */
function createTakeoverSignal(
  leaderSignal: AbortSignal,
  signal: AbortSignal,
  channel: BroadcastChannel,
): AbortSignal {
  const end = new AbortController();
  // `signal` may have aborted before this tab became the leader.
  if (signal.aborted) end.abort();
  signal.addEventListener('abort', () => end.abort(), { signal: end.signal });
  leaderSignal.addEventListener('abort', () => {
    const timer = setTimeout(() => end.abort(), takeoverTimeoutMs);
    const onMessage = ({ data: message }: MessageEvent<TabMessage<unknown>>) => {
      if ('isConnected' in message && message.isConnected) end.abort();
    };
    channel.addEventListener('message', onMessage, { signal: end.signal });
    end.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  return end.signal;
}
