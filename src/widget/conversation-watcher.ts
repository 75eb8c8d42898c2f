import { type Api, type Conversation, errorCodeOf, isRefused } from './api.ts';

/** Keeps a subscription to the updates of one conversation. */
export interface ConversationWatcher {
  /** Starts unless the watcher is already running. */
  start(conversationId: string): void;
  stop(): void;
}

/**
 * Creates a watcher that reconnects with exponential backoff, after 1 to 30 seconds.
 *
 * @param onUpdate Receives each update. If it returns false, the watcher stops.
 * @param onInterruption Called when the connection is lost. What was live may be over.
 */
export function createConversationWatcher(
  api: Api,
  {
    onUpdate,
    onInterruption,
  }: { onUpdate(conversation: Conversation): boolean; onInterruption(): void },
): ConversationWatcher {
  let current: AbortController | null = null;

  const run = async (conversationId: string, controller: AbortController) => {
    const { signal } = controller;
    let delayMs = minRetryDelayMs;
    let wasRefused = false;
    try {
      while (!signal.aborted) {
        try {
          for await (const frame of await api.watchConversation(conversationId, signal)) {
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
      if (current === controller) current = null;
    }
  };

  return {
    start(conversationId) {
      if (current !== null) return;
      current = new AbortController();
      void run(conversationId, current);
    },
    stop() {
      current?.abort();
      current = null;
    },
  };
}

const minRetryDelayMs = 1_000;
const maxRetryDelayMs = 30_000;

function isNonRetryable(error: unknown): boolean {
  return ['UNAUTHENTICATED', 'NOT_FOUND'].includes(errorCodeOf(error));
}

/** Resolves after the delay, when the network comes back, or when the signal aborts. */
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
