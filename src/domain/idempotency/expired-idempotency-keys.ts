import { defineRemovalJob } from '../../platform/jobs/removal-job.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';

/** Deletes expired responses and the claims of dead processes. */
export const removeExpiredIdempotencyKeysJob = defineRemovalJob(
  'remove-expired-idempotency-keys',
  '17 * * * *',
  () => ({ text: removeBatch, batchSize: 1_000 }),
);

/**
 * Releases the keys of all requests without a stored response. If such a request has stored its effect, a retry still
 * receives that effect. Call this only at startup, and only if no other process uses the database.
 */
export async function releaseRunningIdempotencyKeys({
  pool,
}: Pick<Context, 'pool'>): Promise<void> {
  await runSql(
    pool,
    `with released as (
       delete from grounded.idempotency_keys where status is null and effect_id is null
     )
     update grounded.idempotency_keys set leased_until = now() where status is null and effect_id is not null`,
  );
}

/** Skips expired keys that another request is just claiming. */
const removeBatch = `
  delete from grounded.idempotency_keys
  where (key_id, idempotency_key) in (
    select key_id, idempotency_key from grounded.idempotency_keys
    where expires_at <= now()
    order by expires_at
    limit $1
    for update skip locked)`;
