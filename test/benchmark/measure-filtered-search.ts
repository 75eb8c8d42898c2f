import type { Pool } from 'pg';
import { parseFilter } from '../../src/domain/knowledge/filter/parse-filter.ts';
import { hybridSearch, vectorLiteral } from '../../src/domain/knowledge/retrieval/hybrid-search.ts';
import type { Question } from './measure-search.ts';

/** Gives each document a number from 0 to 99, stored as `bucket` in its metadata. */
export async function fillBuckets(pool: Pool): Promise<void> {
  await pool.query(
    `update grounded.documents d set metadata = jsonb_build_object('bucket', n % 100)
     from (select id, row_number() over (order by uuid_hash(id)) - 1 as n from grounded.documents) b where b.id = d.id`,
  );
  await pool.query('analyze grounded.documents');
}

export interface FilteredSearch {
  /** Share of the exact nearest ten chunks that the search finds, from 0 to 1. */
  readonly recall: number;
  /** Median time of a complete search in milliseconds. */
  readonly medianMs: number;
  /** Median time in milliseconds of a search that uses only vectors. */
  readonly vectorMs: number;
}

/** Measures searches with a filter that matches `buckets` of the 100 buckets. */
export async function measureFilteredSearch(
  pool: Pool,
  modelId: number,
  questions: readonly Question[],
  buckets: number,
): Promise<FilteredSearch> {
  const filter = parseFilter({ 'metadata.bucket': { lt: buckets } });
  let [found, all] = [0, 0];
  const times = { complete: [] as number[], vectors: [] as number[] };
  for (const { projectId, query, queryVector } of questions) {
    const input = { projectId, modelId, queryVector, filter, limit: 10 };
    const byVectors = await timed(times.vectors, () => hybridSearch(pool, { ...input, query: '' }));
    await timed(times.complete, () => hybridSearch(pool, { ...input, query }));
    const values = [projectId, modelId, vectorLiteral(queryVector), buckets];
    const exact = await pool.query<{ id: string }>(exactSearchSql, values);
    const ids = new Set(byVectors.hits.map(({ chunkId }) => chunkId));
    found += exact.rows.filter(({ id }) => ids.has(id)).length;
    all += exact.rows.length;
  }
  return { recall: found / all, medianMs: median(times.complete), vectorMs: median(times.vectors) };
}

const exactSearchSql = `
  select v.chunk_id as id from grounded.chunk_vectors v
  join grounded.chunks c on c.project_id = v.project_id and c.id = v.chunk_id
  join grounded.documents d on d.id = c.document_id
  where v.project_id = $1::uuid and v.model_id = $2::smallint and (d.metadata ->> 'bucket')::int < $4::int
  order by v.embedding operator(grounded.<#>) $3::text::grounded.embedding limit 10`;

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  times.push(performance.now() - startedAt);
  return result;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
