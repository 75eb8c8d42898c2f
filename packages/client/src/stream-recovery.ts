import { SilenceError } from './event-stream.ts';
import { backoffMs, retryDelayMs } from './retries.ts';

/**
 * Longest time without an event in an answer. The service sends nothing while a model thinks, which may take three
 * minutes by default.
 */
export const longestSilenceMs = 300_000;

/** A connection that ended before the answer was complete. */
export interface LostConnection {
  readonly error: unknown;
  /** Whether the connection received an event. */
  readonly hadEvents: boolean;
  readonly durationMs: number;
}

/**
 * Returns the delay before the next connection of the same stream in milliseconds, or null if the client must not
 * reconnect.
 */
export type StreamRecovery = (lost: LostConnection) => number | null;

/**
 * Counts failed connections and failed requests together. An event resets the count. A connection without events for
 * the idle timeout does not count as a failure.
 */
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
