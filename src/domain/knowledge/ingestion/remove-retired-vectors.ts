import { defineJob, noPayload } from '../../../platform/jobs/job.ts';
import { removeInBatches } from '../../../platform/postgres/remove-in-batches.ts';
import { runSql } from '../../../platform/postgres/run-sql.ts';
import type { Adapters, Context } from '../../context.ts';
import { buildVectorIndexes } from './build-vector-indexes.ts';

export const removeRetiredVectorsJob = defineJob({
  name: 'remove-retired-vectors',
  payload: noPayload,
  queue: { retryLimit: 20, retryDelay: 5, retryBackoff: true, expireInSeconds: 6 * 3600 },
  concurrency: 1,
  run: (adapters: Adapters, _payload, { signal }) =>
    removeRetiredVectors({ ...adapters, pool: adapters.database.ownerPool, signal }),
});

/**
 * Deletes retired embedding models. First drops their indexes, because otherwise Postgres would have to remove each
 * vector from an index. Then deletes the vectors, in batches per partition. Safe to cancel and to run again.
 */
export async function removeRetiredVectors(
  context: Pick<Context, 'pool' | 'signal' | 'log'>,
): Promise<void> {
  const { pool, signal } = context;
  const models = await runSql<{ id: number }>(
    pool,
    `select id from grounded.embedding_models where status = 'RETIRED'`,
  );
  if (models.length === 0) return;
  await buildVectorIndexes(context);
  const partitions = await runSql<{ name: string }>(
    pool,
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'grounded.chunk_vectors'::regclass`,
  );
  for (const { id } of models) {
    for (const { name } of partitions) {
      await removeInBatches(
        { pool },
        { text: deleteFromPartition(name), values: [id], batchSize },
        signal,
      );
    }
    await runSql(
      pool,
      `delete from grounded.embedding_models where id = $1::smallint and status = 'RETIRED'`,
      [id],
    );
  }
}

const batchSize = 5_000;

/**
 * Returns SQL that deletes a batch of vectors, unless the model is no longer retired. The partition name comes from the
 * database catalog and is already quoted.
 */
function deleteFromPartition(partition: string): string {
  return `
    delete from ${partition} where ctid = any (array(
      select ctid from ${partition}
      where model_id = (select id from grounded.embedding_models where id = $1::smallint and status = 'RETIRED')
      limit $2::int))`;
}
