/** Limits that prevent one client from using up resources that all clients share. */
export interface Limits {
  maxConnections: number;
  /** Maximum time between the opening of a connection and the acceptance of its password. */
  startupTimeoutMs: number;
  maxMessageBytes: number;
  /**
   * Maximum size of received messages that have not run yet. Above this size, the server stops reading from the socket.
   */
  maxQueuedBytes: number;
  /** Maximum size of responses that the client has not read yet. Above this size, the client's next messages wait. */
  maxUnsentBytes: number;
  /** Maximum size of the response to one batch. The response is buffered in memory. */
  maxResponseBytes: number;
  /**
   * Maximum time that a client may be idle in a transaction. After that, the client is disconnected, because its
   * transaction blocks all other clients.
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
