import type { TadaDocumentNode } from 'gql.tada';
import { createClient } from 'graphql-sse';
import { stringifyDocument } from 'urql';
import type { Session } from '../session/session.ts';

export interface LiveClient {
  /**
   * Follows a subscription for ever. After a break it subscribes anew with what `variables` says then, so that one with
   * a cursor misses nothing. Ends when `signal` aborts; throws for errors that another try does not mend.
   */
  follow<Data, Variables extends Record<string, unknown>>(
    document: TadaDocumentNode<Data, Variables>,
    options: {
      readonly variables: () => Variables;
      readonly onEvent: (data: Data) => void;
      readonly onConnection: (isConnected: boolean) => void;
      readonly signal: AbortSignal;
    },
  ): Promise<void>;
}

/** What no reconnection mends, by its code. */
const finalCodes: readonly unknown[] = ['FORBIDDEN', 'NOT_FOUND', 'VALIDATION_FAILED'];
const longestWaitMs = 10_000;

/** Subscriptions over SSE, each on a connection of its own. */
export function createLiveClient(session: Session): LiveClient {
  return {
    async follow(document, { variables, onEvent, onConnection, signal }) {
      const query = stringifyDocument(document);
      for (let failures = 0; !signal.aborted; failures++) {
        const client = createClient({
          url: '/graphql/stream',
          headers: async () => ({ Authorization: `Bearer ${await session.token()}` }),
          retryAttempts: 0,
          on: {
            connected: () => {
              failures = 0;
              onConnection(true);
            },
          },
        });
        signal.addEventListener('abort', () => client.dispose(), { once: true });
        try {
          for await (const { data, errors } of client.iterate({ query, variables: variables() })) {
            const code = errors?.[0]?.extensions?.code;
            if (finalCodes.includes(code)) throw new LiveError(errors?.[0]?.message ?? 'Refused');
            if (code === 'UNAUTHENTICATED') await session.renewedToken();
            if (data != null) onEvent(data as Parameters<typeof onEvent>[0]);
          }
        } catch (error) {
          if (error instanceof LiveError) throw error;
        }
        if (signal.aborted) return;
        onConnection(false);
        await pause(Math.min(longestWaitMs, 250 * 2 ** failures), signal);
      }
    },
  };
}

class LiveError extends Error {}

/** With jitter, so that all pages do not come back at the same moment. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms * (0.5 + Math.random() / 2));
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
