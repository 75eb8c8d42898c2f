import type { Context } from '../context.ts';

/** Removes answers that were kept long enough, and claims of processes that died, in bounded batches. */
export async function removeExpiredKeys(
  { pool }: Pick<Context, 'pool'>,
  signal: AbortSignal,
): Promise<void> {
  let removed: number | null;
  do {
    signal.throwIfAborted();
    removed = (await pool.query(removeBatch, [batchSize])).rowCount;
  } while (removed === batchSize);
}

/** Frees every key whose request is running. Only for a start at which no other process serves the database. */
export async function releaseRunningKeys({ pool }: Pick<Context, 'pool'>): Promise<void> {
  await pool.query('delete from grounded.idempotency_keys where status is null');
}

const batchSize = 1_000;

/** A key that is being claimed anew is left alone. */
const removeBatch = `
  delete from grounded.idempotency_keys
  where (key_id, idempotency_key) in (
    select key_id, idempotency_key from grounded.idempotency_keys
    where expires_at <= now()
    order by expires_at
    limit $1
    for update skip locked)`;
