import type pg from 'pg';

/**
 * Keeps the process alive if a connection that a caller took from a pool is lost. pg rejects the query and also emits
 * an error event, which ends the process if nothing listens. Call the returned function after the release, because from
 * then on the pool listens.
 */
export function tolerateConnectionLoss(client: pg.ClientBase): () => void {
  const ignore = () => {};
  client.on('error', ignore);
  return () => void client.off('error', ignore);
}
