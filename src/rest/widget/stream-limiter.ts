import type { Response } from 'express';
import { DomainError } from '../../platform/errors.ts';

/** Maximum open streams per network address and process. An office may share one address, but so does a flood. */
const maxStreamsPerNetwork = 50;

export interface StreamLimiter {
  /** Counts the stream until its connection closes. Throws `RATE_LIMITED` if the network has too many. */
  acquire(network: string, response: Response): void;
}

export function createStreamLimiter(): StreamLimiter {
  const counts = new Map<string, number>();
  return {
    acquire(network, response) {
      const count = counts.get(network) ?? 0;
      if (count >= maxStreamsPerNetwork) {
        throw new DomainError('RATE_LIMITED', 'Too many conversations are open. Try again soon', {
          retryable: true,
          retryAfterSeconds: 30,
        });
      }
      counts.set(network, count + 1);
      response.once('close', () => {
        const left = (counts.get(network) ?? 1) - 1;
        if (left > 0) counts.set(network, left);
        else counts.delete(network);
      });
    },
  };
}
