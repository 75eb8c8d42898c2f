import type { TadaDocumentNode } from 'gql.tada';
import { createClient } from 'graphql-sse';
import { stringifyDocument } from 'urql';
import { type Session, SignedOut } from '../session/session.ts';

/** Following a subscription. */
export interface Followed<Data, Variables extends Record<string, unknown>> {
  /** Asked anew at each connection, so that a subscription with a cursor goes on where it was. */
  readonly variables: () => Variables;
  /** `isHere`: the stream is this tab's own. */
  readonly onEvent: (data: Data, isHere: boolean) => void;
  readonly onConnection: (isConnected: boolean) => void;
  readonly signal: AbortSignal;
}

/** What the service will not let be followed, however often it is tried: such as what one may no longer read. */
export class Unfollowable extends Error {
  readonly code: unknown;
  constructor(code: unknown, message: string) {
    super(message);
    this.name = 'Unfollowable';
    this.code = code;
  }
}

const finalCodes: readonly unknown[] = [
  'FORBIDDEN',
  'NOT_FOUND',
  'VALIDATION_FAILED',
  'CURSOR_EXPIRED',
];
const longestWaitMs = 10_000;

/**
 * Follows a subscription over an SSE stream of its own for ever: after a break it subscribes anew. Ends when `signal`
 * aborts; throws `SignedOut` when the session has ended, and `Unfollowable`.
 */
export async function follow<Data, Variables extends Record<string, unknown>>(
  session: Session,
  document: TadaDocumentNode<Data, Variables>,
  { variables, onEvent, onConnection, signal }: Followed<Data, Variables>,
): Promise<void> {
  const query = stringifyDocument(document);
  for (let failures = 0; !signal.aborted; failures++) {
    const client = createClient({
      url: '/graphql/stream',
      headers: async () => ({ Authorization: `Bearer ${await session.token()}` }),
      retryAttempts: 0,
      on: {
        connected: () => {
          failures = 0;
          if (!signal.aborted) onConnection(true);
        },
      },
    });
    const leave = () => client.dispose();
    signal.addEventListener('abort', leave);
    try {
      for await (const { data, errors } of client.iterate({ query, variables: variables() })) {
        if (signal.aborted) return;
        const { message = '', extensions } = errors?.[0] ?? {};
        if (finalCodes.includes(extensions?.code))
          throw new Unfollowable(extensions?.code, message);
        if (extensions?.code === 'UNAUTHENTICATED') await session.renewedToken();
        if (data != null) onEvent(data as Data, true);
      }
    } catch (error) {
      if (error instanceof Unfollowable || error instanceof SignedOut) throw error;
    } finally {
      signal.removeEventListener('abort', leave);
      client.dispose();
    }
    if (signal.aborted) return;
    onConnection(false);
    await pause(Math.min(longestWaitMs, 250 * 2 ** failures), signal);
  }
}

/** With jitter, so that all pages do not come back at the same moment; at once when the network comes back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms * (0.5 + Math.random() / 2));
    addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}
