import type pg from 'pg';

/**
 * Keeps the process alive if a connection is lost that a caller took from a pool. pg also emits the loss as an event when
 * it rejects the query, and an error event without a listener ends the process. Call the returned function after the
 * release, from which on the pool listens.
 */
export function tolerateConnectionLoss(client: pg.ClientBase): () => void {
  const ignore = () => {};
  client.on('error', ignore);
  return () => void client.off('error', ignore);
}
