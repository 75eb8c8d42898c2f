import { runSql } from '../../../platform/postgres/run-sql.ts';
import type { Context } from '../../context.ts';
import { indexedProjectMinVectors } from './build-vector-indexes.ts';

/** Minimum time between two requests: a build takes a while, and documents arrive in the meantime. */
const requestIntervalSeconds = 60;

/**
 * Enqueues a build of vector indexes if the project is large enough for one and has none. Call it in the transaction
 * that stores vectors of the project.
 */
export async function requestVectorIndex(
  { db, queue }: Pick<Context, 'db' | 'queue'>,
  { projectId, modelId }: { readonly projectId: string; readonly modelId: number },
): Promise<void> {
  const missing = await runSql(db, findMissingIndex, [
    projectId,
    modelId,
    indexedProjectMinVectors,
  ]);
  if (missing.length === 0) return;
  await queue.enqueue(db, 'build-vector-indexes', {}, { intervalSeconds: requestIntervalSeconds });
}

/** The embedded database has no vector indexes: see `buildVectorIndexes`. */
const findMissingIndex = `
  select 1 as missing where version() not like '%emscripten%'
    and (select count(*) from (
      select from grounded.chunk_vectors where project_id = $1::uuid and model_id = $2::smallint limit $3::int) v) = $3::int
    and grounded.indexed_vectors($1::uuid, $2::smallint) = 0`;
