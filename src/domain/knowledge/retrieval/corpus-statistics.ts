import { runSql, type SqlClient } from '../../../platform/postgres/run-sql.ts';
import { quoteLexeme } from '../ingestion/chunk-terms.ts';

/** The chunks that a search covers. */
export interface Corpus {
  readonly projectId: string;
  /** Id of the embedding model whose vectors are searched. Null for full-text search only. */
  readonly modelId: number | null;
}

/** Statistics of all chunks of a project, for BM25 and the vector search. */
export interface CorpusStatistics {
  /** Estimated number of chunks, at least 1. Exact if it is below `sampleSize`. */
  readonly chunks: number;
  /** Number of chunks in the sample, at least 1. */
  readonly sampled: number;
  /** Mean number of terms of a chunk. */
  readonly averageLength: number;
  /** Number of sampled chunks that contain each term. Terms that no sampled chunk contains are not in the map. */
  readonly termCounts: ReadonlyMap<string, number>;
  /** Number of vectors in the HNSW index of the project's partition. 0 if there is no index. */
  readonly indexedVectors: number;
}

export const sampleSize = 256;

/**
 * Reads the statistics from a random sample: the chunks with the lowest hashes of their ids. Counts all terms of the
 * sample, which takes about 30 ms, or only the given `terms`.
 *
 * The estimated number of chunks is 255 divided by the highest of the 256 lowest hashes, as a share of the hash range
 * (Beyer et al. 2007, 'On Synopses for Distinct-Value Estimation', 6 % error). There is no counter of chunks, because
 * the writers of a project would wait for one another to update it.
 */
export async function readCorpusStatistics(
  client: SqlClient,
  { projectId, modelId }: Corpus,
  terms: readonly string[] | null = null,
): Promise<CorpusStatistics> {
  const values = [projectId, modelId];
  const [row] =
    terms === null
      ? await runSql<StatisticsRow>(client, readAllTerms, values)
      : await runSql<StatisticsRow>(client, readTerms, [...values, terms.map(quoteLexeme)]);
  if (row === undefined) throw new Error('The aggregation returned no row');
  const { termNames, counts, ...statistics } = row;
  const counted = (termNames ?? terms ?? []).map((term, n) => [term, counts[n] ?? 0] as const);
  return { ...statistics, termCounts: new Map(counted.filter(([, count]) => count > 0)) };
}

/**
 * Expected number of postings (pairs of term and chunk) that a search reads. Limited, so that a query of common words
 * stays fast.
 */
const maxPostings = 1_500;

export interface TermFrequency {
  /** Estimated number of chunks that contain the term. */
  readonly expected: number;
  /** True if the search reads all chunks with the term. Other terms are common and only raise the scores of chunks. */
  readonly isRare: boolean;
}

/** Returns the frequency of each term, in the order of `terms`. The rarest term always counts as rare. */
export function estimateFrequencies(
  { chunks, sampled, termCounts }: CorpusStatistics,
  terms: readonly string[],
): TermFrequency[] {
  // A term that no sampled chunk contains may still be in other chunks.
  const minCount = sampled < chunks ? 0.5 : 0;
  const expected = terms.map(
    (term) => (chunks / sampled) * Math.max(termCounts.get(term) ?? 0, minCount),
  );
  const order = expected.map((_, n) => n);
  order.sort((left, right) => (expected[left] ?? 0) - (expected[right] ?? 0) || left - right);
  const rare = new Set<number>();
  let postings = 0;
  for (const n of order) {
    postings += expected[n] ?? 0;
    if (rare.size > 0 && postings > maxPostings) break;
    rare.add(n);
  }
  return expected.map((count, n) => ({ expected: count, isRare: rare.has(n) }));
}

interface StatisticsRow extends Omit<CorpusStatistics, 'termCounts'> {
  /** Null if only the given terms were counted. */
  readonly termNames: readonly string[] | null;
  readonly counts: readonly number[];
}

/** Parameters: $1 project, $2 model. Small projects do not need the vector index (`grounded.nearest_vectors`). */
const corpusSql = `
  with sample as materialized (
    select terms, length, uuid_hash(id) as hash from grounded.published_chunks where project_id = $1::uuid
    order by uuid_hash(id) limit ${sampleSize}
  ), corpus as materialized (
    select case when count(*) < ${sampleSize} then greatest(count(*), 1)
        else greatest(${sampleSize - 1} * 4294967296 / (max(hash) + 2147483648 + 1)::float8, ${sampleSize}) end::float8 as chunks,
      greatest(count(*), 1)::int as sampled, greatest(avg(length), 1)::float8 as "averageLength"
    from sample
  )
  select corpus.*, counted.*,
    case when chunks < 2000 or $2::smallint is null then 0
      else grounded.indexed_vectors($1::uuid, $2::smallint) end::float8 as "indexedVectors"`;

const readAllTerms = {
  name: 'read-corpus-statistics',
  text: `${corpusSql}
  from corpus, lateral (
    select coalesce(array_agg(term), '{}') as "termNames", coalesce(array_agg(count), '{}') as counts
    from (select term, count(*)::int from sample, unnest(tsvector_to_array(terms)) term group by term) t
  ) counted`,
};

/** Parameters: as in `corpusSql`, and $3 quoted terms. */
const readTerms = {
  name: 'read-corpus-statistics-of-terms',
  text: `${corpusSql}
  from corpus, lateral (
    select null as "termNames",
      coalesce(array_agg((select count(*)::int from sample where terms @@ query::tsquery) order by n), '{}') as counts
    from unnest($3::text[]) with ordinality as t (query, n)
  ) counted`,
};
