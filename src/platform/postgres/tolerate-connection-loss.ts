import type pg from 'pg';

/**
 * Keeps the process running if the connection of a checked-out client is lost. When that happens, pg rejects the query
 * and also emits an error event. An error event without a listener ends the process. Call the returned function after
 * the client is released, because then the pool listens.
 */
export function tolerateConnectionLoss(client: pg.ClientBase): () => void {
  const ignore = () => {};
  client.on('error', ignore);
  return () => void client.off('error', ignore);
}
