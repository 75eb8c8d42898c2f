import type { TadaDocumentNode } from 'gql.tada';
import type { Session } from '../session/session.ts';
import { inOneTab } from './in-one-tab.ts';
import { type Followed, follow } from './live-client.ts';

/** What tabs tell each other. */
type Told<Data> =
  | { readonly event: Data }
  /** By the tab that holds the stream; also when it `isAsked`. */
  | { readonly isConnected: boolean }
  | { readonly isAsked: true };

/** How long a tab keeps its stream for another one that has taken over and does not get through. */
const patienceMs = 5_000;

/**
 * Follows a subscription over one SSE stream for all tabs of the browser: over HTTP/1.1 it has six connections to a
 * host, which six streams would take up. `name` is that of what is followed, the same in each tab. As `follow` else;
 * while one tab takes over from another an event may come from both.
 */
export async function followInAllTabs<Data, Variables extends Record<string, unknown>>(
  session: Session,
  name: string,
  document: TadaDocumentNode<Data, Variables>,
  { variables, onEvent, onConnection, signal }: Followed<Data, Variables>,
): Promise<void> {
  const channel = new BroadcastChannel(name);
  const closing = new AbortController();
  const leaving = AbortSignal.any([signal, closing.signal]);
  const tell = (told: Told<Data>) => channel.postMessage(told);
  /** Of the stream that this tab holds; null in the others. */
  let held: { isConnected: boolean } | null = null;
  channel.addEventListener('message', ({ data: told }: MessageEvent<Told<Data>>) => {
    if (leaving.aborted) return;
    if ('event' in told) onEvent(told.event, false);
    else if ('isConnected' in told) onConnection(told.isConnected);
    else if (held !== null) tell({ isConnected: held.isConnected });
  });

  const hold = async (turn: AbortSignal) => {
    const mine = { isConnected: false };
    held = mine;
    turn.addEventListener('abort', () => {
      if (held === mine) held = null;
    });
    await follow(session, document, {
      variables,
      signal: untilSucceeded(turn, leaving, channel),
      onEvent: (event) => {
        tell({ event });
        onEvent(event, true);
      },
      onConnection: (isConnected) => {
        if (turn.aborted) return;
        mine.isConnected = isConnected;
        tell({ isConnected });
        onConnection(isConnected);
      },
    });
  };

  tell({ isAsked: true });
  try {
    await inOneTab(name, signal, hold);
  } finally {
    closing.abort();
    channel.close();
  }
}

/** Aborts when another tab has its stream, and not before: nobody would hear what happens between the two. */
function untilSucceeded(
  turn: AbortSignal,
  signal: AbortSignal,
  channel: BroadcastChannel,
): AbortSignal {
  const end = new AbortController();
  // A turn may come after the page has been left.
  if (signal.aborted) end.abort();
  signal.addEventListener('abort', () => end.abort(), { signal: end.signal });
  turn.addEventListener('abort', () => {
    const timer = setTimeout(() => end.abort(), patienceMs);
    const hear = ({ data: told }: MessageEvent<Told<unknown>>) => {
      if ('isConnected' in told && told.isConnected) end.abort();
    };
    channel.addEventListener('message', hear, { signal: end.signal });
    end.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  return end.signal;
}
