import type { Response } from 'express';
import { DomainError } from '../../domain/errors.ts';

/** Streams of one address that a process keeps open at once: an office is behind one, and so is a flood. */
const maxStreams = 50;

export interface OpenStreams {
  /** Counts the stream until its connection closes. Throws `RATE_LIMITED` where there are too many. */
  add(network: string, response: Response): void;
}

export function createOpenStreams(): OpenStreams {
  const counts = new Map<string, number>();
  return {
    add(network, response) {
      const count = counts.get(network) ?? 0;
      if (count >= maxStreams) {
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
