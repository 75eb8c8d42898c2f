import type { Context } from '../context.ts';
import { removeInBatches } from '../remove-in-batches.ts';

/** Removes answers that were kept long enough, and claims of processes that died, in bounded batches. */
export function removeExpiredKeys(
  context: Pick<Context, 'pool'>,
  signal: AbortSignal,
): Promise<void> {
  return removeInBatches(context, { text: removeBatch, batchSize: 1_000 }, signal);
}

/** Frees every key whose request is running. Only for a start at which no other process serves the database. */
export async function releaseRunningKeys({ pool }: Pick<Context, 'pool'>): Promise<void> {
  await pool.query('delete from grounded.idempotency_keys where status is null');
}

/** A key that is being claimed anew is left alone. */
const removeBatch = `
  delete from grounded.idempotency_keys
  where (key_id, idempotency_key) in (
    select key_id, idempotency_key from grounded.idempotency_keys
    where expires_at <= now()
    order by expires_at
    limit $1
    for update skip locked)`;
