import { runSql } from '../../../platform/postgres/run-sql.ts';
import type { Context } from '../../context.ts';
import { buildVectorIndexesJob, indexedProjectMinVectors } from './build-vector-indexes.ts';

/** Minimum time between two requests: a build takes a while, and documents arrive in the meantime. */
const requestIntervalSeconds = 60;

/** While documents are waiting, the vectors of a project are counted at most this often. */
const countIntervalMs = 10_000;

/** Time of the last count by project. By database, because tests use several in one process. */
const lastCounts = new WeakMap<object, Map<string, number>>();

/**
 * Enqueues a build of vector indexes if the project is large enough for one and has none. While documents are waiting,
 * only a very large project gets an index: storing a vector in an index takes several times as long as adding it to a
 * new one. Until then, searches read all vectors.
 */
export async function requestVectorIndex(
  { database, pool, db, queue }: Pick<Context, 'database' | 'pool' | 'db' | 'queue'>,
  projectId: string,
  { hasWaitingDocuments }: { readonly hasWaitingDocuments: boolean },
): Promise<void> {
  if (hasWaitingDocuments && !isCountDue(database, projectId)) return;
  const minVectors = hasWaitingDocuments ? loadedProjectMinVectors : indexedProjectMinVectors;
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

/** An exact scan of more vectors takes too long to wait for the end of a bulk load. */
const loadedProjectMinVectors = 20_000;

/** The embedded database has no vector indexes: see `buildVectorIndexes`. */
const findMissingIndex = `
  select 1 as missing from grounded.embedding_models m
  where version() not like '%emscripten%' and m.status = 'ACTIVE' and grounded.indexed_vectors($1::uuid, m.id) = 0
    and (select count(*) from (
      select from grounded.chunk_vectors where project_id = $1::uuid and model_id = m.id limit $2::int) v) = $2::int`;
