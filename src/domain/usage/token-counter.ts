import type { TokenCount } from './token-count.ts';

/**
 * Sums the tokens of searches and documents in memory, and stores the sums once a second. So a search needs no SQL
 * statement to count its tokens. If a process crashes, it loses the tokens of at most one second, and also earlier
 * tokens that could not be stored.
 */
export interface TokenCounter {
  add(projectId: string, counts: readonly TokenCount[]): void;
  /**
   * Stores all sums. Never rejects. Keeps the sums while the database is unavailable, and retries with backoff. Drops a
   * sum that the database refuses, and the sums of deleted projects.
   */
  flush(): Promise<void>;
  /** Stores all sums a last time and stops the counter. */
  stop(): Promise<void>;
}
