import { setTimeout as wait } from 'node:timers/promises';
import { APIError } from 'openai';
import { openAiFailure } from './openai-failure.ts';
import type { OpenAiLimits } from './openai-limits.ts';

/**
 * Sends a request again after 408, 429, 5xx and connection errors, waiting as long as the server asks
 * (`Retry-After`) or with exponential back-off. Throws `MODEL_ERROR` when the tries are used up, when the
 * server asks for more than `maxWaitMs`, or at once when `signal` aborts.
 */
export async function sendWithRetries<Result>(
  send: () => Promise<Result>,
  limits: OpenAiLimits,
  signal: AbortSignal,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      signal.throwIfAborted();
      const failure = openAiFailure(error);
      const waitMs = requestedWaitMs(error) ?? backOffMs(attempt, limits.firstWaitMs);
      if (!failure.retryable || attempt >= limits.tries || waitMs > limits.maxWaitMs) {
        throw failure;
      }
      await wait(waitMs, undefined, { signal });
    }
  }
}

/** `Retry-After` is a number of seconds or a date (RFC 9110, 10.2.3). */
function requestedWaitMs(error: unknown): number | null {
  const headers: Headers | undefined = error instanceof APIError ? error.headers : undefined;
  const value = headers?.get('retry-after')?.trim();
  if (!value) {
    return null;
  }
  const waitMs = /^\d+(\.\d+)?$/.test(value)
    ? Number(value) * 1000
    : Date.parse(value) - Date.now();
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null;
}

function backOffMs(attempt: number, firstWaitMs: number): number {
  return firstWaitMs * 2 ** (attempt - 1) * (1 - Math.random() / 4);
}
