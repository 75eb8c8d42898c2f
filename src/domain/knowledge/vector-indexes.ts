import type { PoolClient } from 'pg';
import type { Context } from '../context.ts';

/**
 * Builds the HNSW indexes (Malkov and Yashunin 2018) that are missing: one for each model and each partition of the
 * vectors that holds a project so large that an exact scan of it takes long. `grounded.nearest` says when a search uses
 * them. One after the other and without blocking readers or writers; those that a crash left broken, or that belong to
 * models which serve no more, are removed first. Does nothing while another process builds, and on the embedded
 * database, whose only session a build would take. Says how many it built. Broken off, it can be run again.
 */
export async function buildVectorIndexes({
  pool,
  signal,
  log,
}: Pick<Context, 'pool' | 'signal' | 'log'>): Promise<number> {
  signal.throwIfAborted();
  const client = await pool.connect();
  try {
    const processId = await prepareSession(client);
    if (processId === null) return 0;
    // A build waits inside the server, for hours with a large partition.
    const cancel = () => {
      pool.query('select pg_cancel_backend($1)', [processId]).catch(() => {});
    };
    signal.addEventListener('abort', cancel);
    try {
      return await buildMissing(client, { signal, log });
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  } finally {
    client.release(true); // ends the connection, and with it the lock and the settings
  }
}

interface VectorIndex {
  readonly partition: string;
  readonly name: string;
  readonly modelId: number;
  readonly dimensions: number;
}

/** An exact scan of as many vectors takes about 10 ms. */
const largeProjectVectors = 10_000;

async function buildMissing(
  client: PoolClient,
  { signal, log }: Pick<Context, 'signal' | 'log'>,
): Promise<number> {
  for (const { name } of await rowsOf<{ name: string }>(client, USELESS_INDEXES)) {
    signal.throwIfAborted();
    await client.query(`drop index concurrently if exists grounded.${name}`);
  }
  let built = 0;
  for (const index of await rowsOf<VectorIndex>(client, MISSING_INDEXES)) {
    signal.throwIfAborted();
    if (!(await hasLargeProject(client, index))) continue;
    const startedAt = performance.now();
    await build(client, index);
    built += 1;
    log.info({ index: index.name, ms: Math.round(performance.now() - startedAt) }, 'index built');
  }
  return built;
}

/** The number of the server's process, null where there is nothing to be done here. */
async function prepareSession(client: PoolClient): Promise<number | null> {
  const [session] = await rowsOf<{ processId: number }>(client, LOCK_SESSION);
  if (session === undefined) return null;
  await client.query(SET_UP_SESSION);
  return session.processId;
}

async function hasLargeProject(client: PoolClient, index: VectorIndex): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from grounded.${index.partition} where model_id = $1
     group by project_id having count(*) >= $2 limit 1`,
    [index.modelId, largeProjectVectors],
  );
  return rowCount === 1;
}

/**
 * Half precision takes half the memory, which is what bounds an HNSW index, and finds the same: distances are computed
 * anew from the vectors themselves. The names and numbers are the catalogue's own.
 */
async function build(
  client: PoolClient,
  { partition, name, modelId, dimensions }: VectorIndex,
): Promise<void> {
  await client.query(MEMORY_FOR_BUILD, [`grounded.${partition}`, dimensions]);
  await client.query(
    `create index concurrently ${name} on grounded.${partition}
     using hnsw ((embedding::halfvec(${dimensions})) halfvec_ip_ops) with (m = 16, ef_construction = 128)
     where model_id = ${modelId}::smallint`,
  );
}

async function rowsOf<T>(client: PoolClient, text: string): Promise<T[]> {
  return (await client.query<T & Record<string, unknown>>(text)).rows;
}

/** Any number, the same in every process. */
const LOCK_SESSION = `
  select pg_backend_pid() as "processId"
  where version() not like '%emscripten%' and pg_try_advisory_lock(20261121003510)`;

/**
 * pgvector's types are named by their schema's place in the search path, which each installation chooses. A build in
 * parallel crashes the server with some builds of pgvector 0.8.0, and one core is all it is to take.
 */
const SET_UP_SESSION = `
  select set_config('search_path', 'pg_catalog, ' || quote_ident(n.nspname), false),
    set_config('max_parallel_maintenance_workers', '0', false),
    set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false)
  from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector'`;

/** A graph that fits is built several times faster: half precision, and about 400 bytes of links a vector. */
const MEMORY_FOR_BUILD = `
  select set_config('maintenance_work_mem', greatest(
    pg_size_bytes(current_setting('maintenance_work_mem')),
    least(1.25 * c.reltuples * (2 * $2::int + 400), pg_size_bytes(current_setting('shared_buffers')) / 2)
  )::bigint / 1024 || 'kB', false)
  from pg_class c where c.oid = $1::regclass`;

const INDEX_NAMES = `
  select p.relname as partition, m.id as model_id, m.dimensions, m.status,
    p.relname || '_hnsw_' || m.id as name, p.reltuples as count
  from pg_inherits i join pg_class p on p.oid = i.inhrelid, grounded.embedding_models m
  where i.inhparent = 'grounded.chunk_vectors'::regclass and m.status <> 'RETIRED'`;

const MISSING_INDEXES = `
  select w.partition, w.name, w.model_id as "modelId", w.dimensions
  from (${INDEX_NAMES}) w
  where not exists (
    select from pg_class c where c.relnamespace = 'grounded'::regnamespace and c.relname = w.name)
  order by w.status, w.count desc`;

const USELESS_INDEXES = `
  select c.relname as name
  from pg_class c join pg_index x on x.indexrelid = c.oid
  where c.relnamespace = 'grounded'::regnamespace and c.relname ~ '^chunk_vectors_p[0-9]+_hnsw_[0-9]+$'
    and not (x.indisvalid and c.relname in (select name from (${INDEX_NAMES}) w))`;
