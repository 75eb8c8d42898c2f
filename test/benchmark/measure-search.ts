import type { Pool, PoolClient } from 'pg';
import { readCorpusStatistics } from '../../src/domain/knowledge/retrieval/corpus-statistics.ts';
import {
  hybridSearch,
  maxScannedVectors,
  searchListSize,
  vectorLiteral,
} from '../../src/domain/knowledge/retrieval/hybrid-search.ts';
import { pick, type Random } from '../support/seeded-random.ts';
import type { ClusteredVectors } from './clustered-vectors.ts';
import { type Passage, questionAbout } from './generated-passages.ts';
import type { GeneratedProject } from './load-projects.ts';
import { percentile } from './performance/figures.ts';

export interface Question {
  readonly projectId: string;
  readonly query: string;
  readonly queryVector: Float32Array;
}

/** Generates question vectors from the project's topics. No chunk has exactly such a vector. */
export function questionsFor(
  project: GeneratedProject,
  {
    count,
    random,
    vectors,
    passages,
  }: { count: number; random: Random; vectors: ClusteredVectors; passages: readonly Passage[] },
): Question[] {
  return Array.from({ length: count }, () => ({
    projectId: project.id,
    query: questionAbout(random, pick(random, passages)),
    queryVector: vectors.draw(pick(random, project.clusters), random),
  }));
}

/**
 * Returns recall at 10: the share of the exact nearest ten chunks that the search finds. A smaller project counts all
 * of its chunks.
 */
export async function recallAtTen(
  client: Pool | PoolClient,
  modelId: number,
  questions: readonly Question[],
): Promise<number> {
  let [found, all] = [0, 0];
  for (const { projectId, queryVector } of questions) {
    const values = [projectId, modelId, vectorLiteral(queryVector)];
    const exact = await client.query<{ id: string }>(exactSearchSql, values);
    const statistics = await readCorpusStatistics(client, { projectId, modelId }, []);
    const near = await client.query<{ id: string }>(approximateSearchSql, [
      ...values,
      maxScannedVectors(statistics),
      searchListSize(statistics),
    ]);
    const ids = new Set(near.rows.map(({ id }) => id));
    found += exact.rows.filter(({ id }) => ids.has(id)).length;
    all += exact.rows.length;
  }
  return found / all;
}

const exactSearchSql = `
  select chunk_id as id from grounded.chunk_vectors
  where project_id = $1::uuid and model_id = $2::smallint
  order by embedding operator(grounded.<#>) $3::text::grounded.embedding limit 10`;

/** The service's search selects 100 candidates. This statement returns the ten most similar of them. */
const approximateSearchSql = `
  select id from (
    select distinct n.id, n.similarity from grounded.nearest_vectors($1::uuid, $2::smallint, $3::text::grounded.embedding,
      $4::integer, $5::integer, 100) n) n
  order by similarity desc limit 10`;

export interface Latency {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly fewestHits: number;
}

/** Measures complete hybrid searches in milliseconds while `clients` clients search at the same time. */
export async function searchLatency(
  pool: Pool,
  modelId: number,
  questions: readonly Question[],
  { clients, limit }: { clients: number; limit: number },
): Promise<Latency> {
  const waiting = [...questions];
  const times: number[] = [];
  let fewestHits = Number.POSITIVE_INFINITY;
  const ask = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const startedAt = performance.now();
      const { hits } = await hybridSearch(pool, { ...next, modelId, limit });
      times.push(performance.now() - startedAt);
      fewestHits = Math.min(fewestHits, hits.length);
    }
  };
  await Promise.all(Array.from({ length: clients }, ask));
  const [p50, p95, p99] = [
    percentile(times, 0.5),
    percentile(times, 0.95),
    percentile(times, 0.99),
  ];
  return { p50, p95, p99, fewestHits };
}

/** Returns the partitions that a search reads. */
export async function listReadPartitions(
  pool: Pool,
  modelId: number,
  question: Question,
): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const before = await scansByPartition(client);
    await hybridSearch(client, { ...question, modelId, limit: 10 });
    const after = await scansByPartition(client);
    return [...after.keys()].filter((name) => after.get(name) !== before.get(name));
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/**
 * Returns the number of scans of each partition and its indexes. Counts the scans of this connection that Postgres has
 * not published yet.
 */
async function scansByPartition(client: PoolClient): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; scans: number }>(scansByPartitionSql);
  return new Map(rows.map(({ name, scans }) => [name, scans]));
}

const scansByPartitionSql = `
  select relname as name, (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int as scans
  from pg_stat_xact_user_tables where schemaname = 'grounded' and relname ~ '_p[0-9]+$' order by name`;
