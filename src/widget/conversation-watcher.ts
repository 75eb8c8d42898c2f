import type { Api, Update } from './api.ts';
import { errorCodeOf, isRefused } from './api-error.ts';

/** Keeps one subscription. It receives updates of the shown conversation and of the conversations with the team. */
export interface ConversationWatcher {
  /**
   * Watches this conversation and stops watching an earlier one. Null: watches only the conversations with the team.
   */
  start(conversationId: string | null): void;
  stop(): void;
}

/**
 * Creates a watcher that reconnects with exponential backoff, after 1 to 30 seconds.
 *
 * @param onUpdate Receives each update. If it returns false, the watcher stops.
 * @param onInterruption Called when the connection is lost. Live states, such as typing, may be out of date then.
 */
export function createConversationWatcher(
  api: Pick<Api, 'watch'>,
  { onUpdate, onInterruption }: { onUpdate(update: Update): boolean; onInterruption(): void },
): ConversationWatcher {
  let current: { controller: AbortController; conversationId: string | null } | null = null;

  const run = async (conversationId: string | null, controller: AbortController) => {
    const { signal } = controller;
    let delayMs = minRetryDelayMs;
    let wasRefused = false;
    try {
      while (!signal.aborted) {
        try {
          for await (const frame of await api.watch(conversationId, signal)) {
            if (frame.type === 'error') break;
            if (signal.aborted) return;
            delayMs = minRetryDelayMs;
            wasRefused = false;
            if (!onUpdate(frame)) return;
          }
        } catch (error) {
          // Stop only after two refusals in a row, because a short outage may look like a refusal.
          if (signal.aborted) return;
          if (isNonRetryable(error) || (wasRefused && isRefused(error))) {
            onInterruption();
            return;
          }
          wasRefused = isRefused(error);
        }
        onInterruption();
        await waitBeforeRetry(delayMs, signal);
        delayMs = Math.min(delayMs * 2, maxRetryDelayMs);
      }
    } finally {
      controller.abort();
      if (current?.controller === controller) current = null;
    }
  };

  const stop = () => {
    current?.controller.abort();
    current = null;
  };
  return {
    start(conversationId) {
      if (current?.conversationId === conversationId) return;
      stop();
      current = { controller: new AbortController(), conversationId };
      void run(conversationId, current.controller);
    },
    stop,
  };
}

const minRetryDelayMs = 1_000;
const maxRetryDelayMs = 30_000;

function isNonRetryable(error: unknown): boolean {
  return ['UNAUTHENTICATED', 'NOT_FOUND'].includes(errorCodeOf(error));
}

/** Resolves after the delay, when the network is available again, or when the signal aborts. */
function waitBeforeRetry(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      window.removeEventListener('online', finish);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, delayMs);
    window.addEventListener('online', finish);
    signal.addEventListener('abort', finish);
  });
}
