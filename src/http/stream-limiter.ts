import { DomainError } from '../platform/errors.ts';

/** Limits how many streams each client may have open in this process. */
export interface StreamLimiter {
  /**
   * Counts a stream as open until the returned function is called.
   * @throws DomainError RATE_LIMITED when the client has too many open streams
   */
  acquire(client: string): () => void;
}

/** `message` is the error message for a client with more than `max` streams. */
export function createStreamLimiter(max: number, message: string): StreamLimiter {
  const counts = new Map<string, number>();
  const release = (client: string) => {
    const left = (counts.get(client) ?? 1) - 1;
    if (left > 0) counts.set(client, left);
    else counts.delete(client);
  };
  return {
    acquire(client) {
      const count = counts.get(client) ?? 0;
      if (count >= max) {
        throw new DomainError('RATE_LIMITED', message, { retryable: true, retryAfterSeconds: 30 });
      }
      counts.set(client, count + 1);
      let isOpen = true;
      return () => {
        if (isOpen) release(client);
        isOpen = false;
      };
    },
  };
}
