/**
 * Sums the embedding tokens of searches and documents in memory and stores the sums once a second, so that a search
 * needs no statement for them. A process that crashes loses at most one second, and those that the database did not
 * accept.
 */
export interface EmbeddingTokenCounter {
  add(projectId: string, tokens: number): void;
  /** Stores all sums. Never rejects: sums that cannot be stored are kept for the next attempt. */
  flush(): Promise<void>;
  /** Stores all sums for the last time. */
  stop(): Promise<void>;
}
