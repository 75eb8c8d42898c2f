import { setTimeout as wait } from 'node:timers/promises';
import { APIError } from 'openai/core/error';
import { retryAfterMs } from '../../platform/web/retry-after.ts';
import type { OnTry } from '../models.ts';
import { toModelError } from './openai-failure.ts';
import type { OpenAiLimits } from './openai-limits.ts';

/**
 * Sends a request, and retries it after 408, 429, 5xx and connection errors. Waits as long as the server requests
 * (`Retry-After`). Without such a request, uses exponential backoff.
 *
 * @throws DomainError MODEL_ERROR when all attempts have failed, or the server requests a wait above `maxRetryDelayMs`.
 * @throws the signal's reason when `signal` aborts.
 */
export async function sendWithRetries<Result>(
  send: () => Promise<Result>,
  limits: OpenAiLimits,
  signal: AbortSignal,
  onTry: OnTry = () => {},
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    onTry();
    try {
      return await send();
    } catch (error) {
      signal.throwIfAborted();
      const failure = toModelError(error);
      const delayMs = requestedDelayMs(error) ?? backoffMs(attempt, limits.initialRetryDelayMs);
      if (!failure.retryable || attempt >= limits.maxAttempts || delayMs > limits.maxRetryDelayMs) {
        throw failure;
      }
      await wait(delayMs, undefined, { signal });
    }
  }
}

function requestedDelayMs(error: unknown): number | null {
  const headers: Headers | undefined = error instanceof APIError ? error.headers : undefined;
  return retryAfterMs(headers?.get('retry-after'));
}

function backoffMs(attempt: number, initialDelayMs: number): number {
  return initialDelayMs * 2 ** (attempt - 1) * (1 - Math.random() / 4);
}
