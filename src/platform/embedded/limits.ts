/** Limits that keep one client from exhausting resources that all clients share. */
export interface Limits {
  maxConnections: number;
  /** Maximum time from opening the connection to accepting the password. */
  startupTimeoutMs: number;
  maxMessageBytes: number;
  /** Maximum size of received messages that have not run yet. Above it, the server stops reading from the socket. */
  maxQueuedBytes: number;
  /** Maximum size of responses that the client has not read yet. Above it, the client's next messages wait. */
  maxUnsentBytes: number;
  /** Maximum size of the response to one batch, which is buffered in memory. */
  maxResponseBytes: number;
  /**
   * A client that is idle in a transaction for longer is disconnected, because its transaction blocks all other
   * clients.
   */
  idleInTransactionTimeoutMs: number;
}

export const defaultLimits: Limits = {
  maxConnections: 100,
  startupTimeoutMs: 10_000,
  maxMessageBytes: 64 * 1024 * 1024,
  maxQueuedBytes: 1024 * 1024,
  maxUnsentBytes: 1024 * 1024,
  maxResponseBytes: 256 * 1024 * 1024,
  idleInTransactionTimeoutMs: 60_000,
};
