import type { ExecutionResult } from 'graphql';
import type { Caller } from '../../domain/caller.ts';
import { createStreamLimiter } from '../../http/stream-limiter.ts';
import { SubscriptionResults } from './subscription-results.ts';

type Start = () => Promise<SubscriptionResults | ExecutionResult>;

/**
 * Returns a function that starts subscriptions and counts the open subscriptions of each caller in this process. The
 * function throws `RATE_LIMITED` if the caller already has `max` open subscriptions. `max` 0: no limit.
 */
export function createSubscriptionLimiter(max: number) {
  const limiter = createStreamLimiter(
    max === 0 ? Number.POSITIVE_INFINITY : max,
    `A caller may have ${max} subscriptions open. Close one, then try again`,
  );
  return async (caller: Caller, start: Start): ReturnType<Start> => {
    const release = limiter.acquire(nameOf(caller));
    try {
      const results = await start();
      if (results instanceof SubscriptionResults) results.onClose = release;
      else release();
      return results;
    } catch (error) {
      release();
      throw error;
    }
  };
}

function nameOf(caller: Caller): string {
  if (caller.type === 'key') return `key ${caller.keyId}`;
  return caller.type === 'operator' ? `operator ${caller.userId}` : caller.type;
}
