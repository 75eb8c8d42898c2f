import type { TadaDocumentNode } from 'gql.tada';
import { createClient } from 'graphql-sse';
import { stringifyDocument } from 'urql';
import { fetchWithIdleTimeout } from '../graphql/fetch-with-timeout.ts';
import { type Session, SignedOutError } from '../session/session.ts';

/** The variables and callbacks of a subscription. */
export interface SubscriptionHandlers<Data, Variables extends Record<string, unknown>> {
  /** Called at each connection, so that a subscription with a cursor continues after the last event. */
  readonly variables: () => Variables;
  /** `isFromThisTab`: whether this tab's own stream received the event. If false, another tab forwarded the event. */
  readonly onEvent: (data: Data, isFromThisTab: boolean) => void;
  readonly onConnection: (isConnected: boolean) => void;
  readonly signal: AbortSignal;
}

/** The service rejected the subscription, and would reject a retry, too. */
export class NonRetryableSubscriptionError extends Error {
  readonly code: unknown;
  constructor(code: unknown, message: string) {
    super(message);
    this.name = 'NonRetryableSubscriptionError';
    this.code = code;
  }
}

const nonRetryableCodes: readonly unknown[] = [
  'FORBIDDEN',
  'NOT_FOUND',
  'VALIDATION_FAILED',
  'CURSOR_EXPIRED',
];
const maxRetryDelayMs = 10_000;
/** Longer than 12 seconds, the interval at which the service sends data at the latest. */
const idleTimeoutMs = 20_000;

/**
 * Subscribes over SSE and reconnects with exponential backoff until `signal` aborts.
 *
 * @throws SignedOutError when the session has ended.
 * @throws NonRetryableSubscriptionError when the service rejects the subscription and a retry would not help.
 */
export async function subscribeWithRetry<Data, Variables extends Record<string, unknown>>(
  session: Session,
  document: TadaDocumentNode<Data, Variables>,
  { variables, onEvent, onConnection, signal }: SubscriptionHandlers<Data, Variables>,
): Promise<void> {
  const query = stringifyDocument(document);
  for (let failures = 0; !signal.aborted; failures++) {
    const client = createClient({
      url: '/graphql/stream',
      headers: async () => ({ Authorization: `Bearer ${await session.getToken()}` }),
      retryAttempts: 0,
      fetchFn: fetchWithIdleTimeout(idleTimeoutMs),
      on: {
        connected: () => {
          failures = 0;
          if (!signal.aborted) onConnection(true);
        },
      },
    });
    const onAbort = () => client.dispose();
    signal.addEventListener('abort', onAbort);
    try {
      for await (const { data, errors } of client.iterate({ query, variables: variables() })) {
        if (signal.aborted) return;
        const { message = '', extensions } = errors?.[0] ?? {};
        if (nonRetryableCodes.includes(extensions?.code))
          throw new NonRetryableSubscriptionError(extensions?.code, message);
        if (extensions?.code === 'UNAUTHENTICATED') await session.renewToken();
        if (data != null) onEvent(data as Data, true);
      }
    } catch (error) {
      if (error instanceof NonRetryableSubscriptionError || error instanceof SignedOutError)
        throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      client.dispose();
    }
    if (signal.aborted) return;
    onConnection(false);
    await waitBeforeRetry(Math.min(maxRetryDelayMs, 250 * 2 ** failures), signal);
  }
}

/**
 * Waits with jitter, so that clients do not all reconnect at once. Resolves early when the network is available again.
 */
function waitBeforeRetry(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      removeEventListener('online', finish);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, delayMs * (0.5 + Math.random() / 2));
    addEventListener('online', finish);
    signal.addEventListener('abort', finish);
  });
}
