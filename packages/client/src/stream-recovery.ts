import { SilenceError } from './event-stream.ts';
import { backoffMs, retryDelayMs } from './retries.ts';

/**
 * How long an answer may bring no event. The service sends nothing while a model thinks, and by default gives it three
 * minutes.
 */
export const longestSilenceMs = 300_000;

/** A connection that ended before the answer. */
export interface LostConnection {
  readonly error: unknown;
  /** Whether it brought an event. */
  readonly hadEvents: boolean;
  readonly durationMs: number;
}

/** Returns how long to wait before the next connection of the same stream, or null if there should be none. */
export type StreamRecovery = (lost: LostConnection) => number | null;

/** The failures of connections and of requests count together, and an event makes up for them. Silence is no failure. */
export function createStreamRecovery(isRepeatable: boolean, maxRetries: number): StreamRecovery {
  let failures = 0;
  let silentMs = 0;
  return ({ error, hadEvents, durationMs }) => {
    silentMs = hadEvents ? 0 : silentMs + durationMs;
    if (hadEvents) failures = 0;
    if (isRepeatable && error instanceof SilenceError) {
      return silentMs < longestSilenceMs ? backoffMs(1) : null;
    }
    failures += 1;
    return retryDelayMs({
      error,
      failures,
      isRepeatable,
      maxRetries,
      isWaiting: false,
      startedAt: 0,
    });
  };
}
