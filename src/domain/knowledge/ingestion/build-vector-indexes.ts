import type { PoolClient } from 'pg';
import { defineJob, noPayload, scheduledQueue } from '../../../platform/jobs/job.ts';
import { runSql } from '../../../platform/postgres/run-sql.ts';
import { tolerateConnectionLoss } from '../../../platform/postgres/tolerate-connection-loss.ts';
import type { Adapters, Context } from '../../context.ts';

export const buildVectorIndexesJob = defineJob({
  name: 'build-vector-indexes',
  payload: noPayload,
  queue: { ...scheduledQueue, expireInSeconds: 12 * 3600 },
  schedule: '*/30 * * * *',
  concurrency: 1,
  run: async (adapters: Adapters, _payload, { signal }) => {
    await buildVectorIndexes({ ...adapters, pool: adapters.database.ownerPool, signal });
  },
});

/**
 * Builds missing HNSW indexes (Malkov and Yashunin 2018) and returns how many were built. Each embedding model gets one
 * index per partition of `chunk_vectors`, if a project in the partition has at least as many vectors as
 * `minIndexedVectorsSql` returns. The function `maxScannedVectors` decides whether a search uses the index.
 *
 * Builds one index at a time without blocking readers or writers. First drops invalid indexes and indexes of models
 * that are neither active nor being built. Returns 0 while another process builds indexes. Also returns 0 on the
 * embedded database, because a build would block its only session. Safe to cancel and to run again.
 */
export async function buildVectorIndexes({
  pool,
  signal,
  log,
}: Pick<Context, 'pool' | 'signal' | 'log'>): Promise<number> {
  signal.throwIfAborted();
  const client = await pool.connect();
  const stopTolerating = tolerateConnectionLoss(client);
  try {
    const backendPid = await prepareSession(client);
    if (backendPid === null) return 0;
    // A build may wait in Postgres for hours. Aborting here is not enough: the statement must be cancelled in Postgres.
    const cancel = () => {
      runSql(pool, 'select pg_cancel_backend($1)', [backendPid]).catch(() => {});
    };
    signal.addEventListener('abort', cancel);
    try {
      return await buildMissingIndexes(client, { signal, log });
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  } finally {
    client.release(true); // closing the connection releases the lock and resets the settings
    stopTolerating();
  }
}

interface VectorIndex {
  readonly partition: string;
  readonly name: string;
  readonly modelId: number;
  readonly dimensions: number;
}

/**
 * Returns SQL for the number of vectors from which a project needs an index: 10,000 with 384 dimensions, 2,000 with
 * 2,000 dimensions or more. An exact scan of this many takes about 6 ms, and most searches rank in memory. In return,
 * documents of smaller projects need half the processor time of Postgres: adding a vector to an index takes 1.5 ms.
 */
export const minIndexedVectorsSql = (dimensions: string) =>
  `greatest(2000, least(10000, 4000000 / ${dimensions}))`;

async function buildMissingIndexes(
  client: PoolClient,
  { signal, log }: Pick<Context, 'signal' | 'log'>,
): Promise<number> {
  for (const { name } of await runSql<{ name: string }>(client, findObsoleteIndexes)) {
    signal.throwIfAborted();
    await runSql(client, `drop index concurrently if exists grounded.${name}`);
  }
  let built = 0;
  for (const index of await runSql<VectorIndex>(client, findMissingIndexes)) {
    signal.throwIfAborted();
    if (!(await needsIndex(client, index))) continue;
    const startedAt = performance.now();
    await buildIndex(client, index);
    built += 1;
    log.info(
      { index: index.name, ms: Math.round(performance.now() - startedAt) },
      'vector index built',
    );
  }
  return built;
}

/**
 * Acquires the lock and sets up the session. Returns the id of the backend's process. Returns null if another process
 * has the lock, or if the database is embedded.
 */
async function prepareSession(client: PoolClient): Promise<number | null> {
  const [session] = await runSql<{ processId: number }>(client, acquireSessionLock);
  if (session === undefined) return null;
  await runSql(client, setSessionSettings);
  return session.processId;
}

async function needsIndex(client: PoolClient, index: VectorIndex): Promise<boolean> {
  const large = await runSql(
    client,
    `select from grounded.${index.partition} where model_id = $1
     group by project_id having count(*) >= ${minIndexedVectorsSql('$2::int')} limit 1`,
    [index.modelId, index.dimensions],
  );
  return large.length === 1;
}

/**
 * Builds an index of half-precision vectors, which needs half the memory. The recall is unchanged, because searches
 * compute the distances again from the full vectors. The names and numbers in the SQL come from the database catalog,
 * so interpolating them is safe.
 */
async function buildIndex(
  client: PoolClient,
  { partition, name, modelId, dimensions }: VectorIndex,
): Promise<void> {
  await runSql(client, setMaintenanceWorkMem, [`grounded.${partition}`, dimensions]);
  await runSql(
    client,
    `create index concurrently ${name} on grounded.${partition}
     using hnsw ((embedding::halfvec(${dimensions})) halfvec_ip_ops) with (m = 16, ef_construction = 128)
     where model_id = ${modelId}::smallint`,
  );
}

/** The advisory lock key is arbitrary, but must be the same in all processes. */
const acquireSessionLock = `
  select pg_backend_pid() as "processId"
  where version() not like '%emscripten%' and pg_try_advisory_lock(20261121003510)`;

/**
 * The operator class needs pgvector's schema in the search path. The name of this schema depends on the installation.
 * Parallel workers are off for two reasons: with pgvector below 0.8.2 they can crash Postgres (CVE-2026-3172), and an
 * index build should use only one core.
 */
const setSessionSettings = `
  select set_config('search_path', 'pg_catalog, ' || quote_ident(n.nspname), false),
    set_config('max_parallel_maintenance_workers', '0', false),
    set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false)
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector'`;

/**
 * A build is several times faster if the index graph fits into maintenance_work_mem. The graph consists of the
 * half-precision vectors and about 400 bytes of links per vector.
 */
const setMaintenanceWorkMem = `
  select set_config('maintenance_work_mem', greatest(
    pg_size_bytes(current_setting('maintenance_work_mem')),
    least(1.25 * c.reltuples * (2 * $2::int + 400), pg_size_bytes(current_setting('shared_buffers')) / 2)
  )::bigint / 1024 || 'kB', false)
  from pg_class c where c.oid = $1::regclass`;

const expectedIndexes = `
  select p.relname as partition, m.id as model_id, m.dimensions, m.status,
    p.relname || '_hnsw_' || m.id as name, p.reltuples as count
  from pg_inherits i join pg_class p on p.oid = i.inhrelid, grounded.embedding_models m
  where i.inhparent = 'grounded.chunk_vectors'::regclass and m.status in ('ACTIVE', 'BUILDING')`;

const findMissingIndexes = `
  select w.partition, w.name, w.model_id as "modelId", w.dimensions
  from (${expectedIndexes}) w
  where not exists (
    select from pg_class c where c.relnamespace = 'grounded'::regnamespace and c.relname = w.name)
  order by w.status, w.count desc`;

const findObsoleteIndexes = `
  select c.relname as name
  from pg_class c join pg_index x on x.indexrelid = c.oid
  where c.relnamespace = 'grounded'::regnamespace and c.relname ~ '^chunk_vectors_p[0-9]+_hnsw_[0-9]+$'
    and not (x.indisvalid and c.relname in (select name from (${expectedIndexes}) w))`;
