import type { Context } from '../context.ts';
import { removeInBatches } from '../remove-in-batches.ts';
import { buildVectorIndexes } from './vector-indexes.ts';

/**
 * Removes the models that serve no more: first their indexes, so that nothing has to be taken out of these one by one,
 * then their vectors, some at a time and partition by partition. Can be broken off and run again.
 */
export async function removeRetiredVectors(
  context: Pick<Context, 'pool' | 'signal' | 'log'>,
): Promise<void> {
  const { pool, signal } = context;
  const { rows: models } = await pool.query<{ id: number }>(
    `select id from grounded.embedding_models where status = 'RETIRED'`,
  );
  if (models.length === 0) return;
  await buildVectorIndexes(context);
  const { rows: partitions } = await pool.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'grounded.chunk_vectors'::regclass`,
  );
  for (const { id } of models) {
    for (const { name } of partitions) {
      await removeInBatches({ pool }, { text: removeFrom(name), values: [id], batchSize }, signal);
    }
    await pool.query(
      `delete from grounded.embedding_models where id = $1::smallint and status = 'RETIRED'`,
      [id],
    );
  }
}

const batchSize = 5_000;

/** Unless someone has gone back to the model in the meantime. The name is the catalogue's, and quoted by it. */
function removeFrom(partition: string): string {
  return `
    delete from ${partition} where ctid = any (array(
      select ctid from ${partition}
      where model_id = (select id from grounded.embedding_models where id = $1::smallint and status = 'RETIRED')
      limit $2::int))`;
}
