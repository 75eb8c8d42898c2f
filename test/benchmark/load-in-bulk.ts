import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { buildVectorIndexes } from '../../src/domain/knowledge/ingestion/build-vector-indexes.ts';
import { loadProjects } from './load-projects.ts';

/**
 * Loads projects, and then builds the index of terms, because updating it for each row takes much longer. Prints the
 * time of each step.
 */
export async function loadInBulk(
  pool: Pool,
  input: Parameters<typeof loadProjects>[1],
): Promise<void> {
  // Postgres returns `on only`, which would create no index on the partitions.
  const { rows } = await pool.query(
    `select replace(pg_get_indexdef('grounded.chunks_terms'::regclass), ' ON ONLY ', ' ON ') as definition`,
  );
  await pool.query('drop index grounded.chunks_terms');
  await timed('load', () => loadProjects(pool, input));
  await timed('build the index of terms', () => pool.query(rows[0].definition));
  await timed('vacuum', () => pool.query('vacuum analyze'));
}

/** Builds the indexes of vectors as the service does, and prints the time. */
export async function indexVectors(pool: Pool, log: Logger): Promise<void> {
  const { signal } = new AbortController();
  await timed('build the indexes of vectors', () => buildVectorIndexes({ pool, signal, log }));
  await timed('vacuum', () => pool.query('vacuum analyze grounded.chunk_vectors'));
}

async function timed(label: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await work();
  console.log(`${label}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}
