import { runSql } from '../../../platform/postgres/run-sql.ts';
import type { Context } from '../../context.ts';
import { buildVectorIndexesJob, minIndexedVectorsSql } from './build-vector-indexes.ts';

/** Minimum time between two requests. A build takes a while, and further documents may arrive during it. */
const requestIntervalSeconds = 60;

/** Minimum time between two counts of a project's vectors while documents are waiting. */
const countIntervalMs = 10_000;

/**
 * Time of the last count for each project. Separate for each database, because tests use several databases in one
 * process.
 */
const lastCounts = new WeakMap<object, Map<string, number>>();

/**
 * Enqueues a build of vector indexes if the project is large enough for an index and has none. While documents are
 * waiting, only a very large project gets an index, because adding a vector to an existing index takes several times as
 * long as including it in a new index. Until then, searches read all vectors.
 */
export async function requestVectorIndex(
  { database, pool, db, queue }: Pick<Context, 'database' | 'pool' | 'db' | 'queue'>,
  projectId: string,
  { hasWaitingDocuments }: { readonly hasWaitingDocuments: boolean },
): Promise<void> {
  if (hasWaitingDocuments && !isCountDue(database, projectId)) return;
  const minVectors = hasWaitingDocuments ? loadedProjectMinVectors : 0;
  const missing = await runSql(pool, findMissingIndex, [projectId, minVectors]);
  if (missing.length === 0) return;
  await queue.enqueue(db, buildVectorIndexesJob, {}, { intervalSeconds: requestIntervalSeconds });
}

function isCountDue(database: object, projectId: string): boolean {
  const counts = lastCounts.get(database) ?? new Map<string, number>();
  lastCounts.set(database, counts);
  const now = performance.now();
  if (now - (counts.get(projectId) ?? Number.NEGATIVE_INFINITY) < countIntervalMs) return false;
  if (counts.size >= maxCountedProjects) counts.clear();
  counts.set(projectId, now);
  return true;
}

const maxCountedProjects = 10_000;

/** Above this number of vectors, an exact scan is so slow that the index is built before a bulk load has finished. */
const loadedProjectMinVectors = 20_000;

/** Finds nothing on the embedded database, which has no vector indexes (see `buildVectorIndexes`). */
const findMissingIndex = `
  select 1 as missing from grounded.embedding_models m
  cross join lateral (select greatest($2::int, ${minIndexedVectorsSql('m.dimensions')}) as vectors) needed
  where version() not like '%emscripten%' and m.status = 'ACTIVE' and grounded.indexed_vectors($1::uuid, m.id) = 0
    and (select count(*) from (
      select from grounded.chunk_vectors where project_id = $1::uuid and model_id = m.id limit needed.vectors) v)
      = needed.vectors`;
