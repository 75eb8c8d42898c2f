/** What one client may cost the others. */
export type Limits = {
  maxConnections: number;
  /** From the first byte to the accepted password. */
  startupMs: number;
  maxMessageBytes: number;
  /** Messages read but not run yet; above it the socket is not read. */
  maxQueuedBytes: number;
  /** Answers not yet taken by the client; above it nothing more is run for it. */
  maxUnsentBytes: number;
  /** The answer to one Query or Sync, held in memory as a whole. */
  maxAnswerBytes: number;
  /** A transaction that waits for its client stops everyone. */
  idleInTransactionMs: number;
};

export const DEFAULT_LIMITS: Limits = {
  maxConnections: 100,
  startupMs: 10_000,
  maxMessageBytes: 64 * 1024 * 1024,
  maxQueuedBytes: 1024 * 1024,
  maxUnsentBytes: 1024 * 1024,
  maxAnswerBytes: 256 * 1024 * 1024,
  idleInTransactionMs: 60_000,
};
