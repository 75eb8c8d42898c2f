import { type SimilarityScale, unchangedScale } from '../../../models/similarity-scale.ts';
import { runSql, type SqlClient } from '../../../platform/postgres/run-sql.ts';
import { degreeWords } from '../../../text/degree-words.ts';
import { stopWords } from '../../../text/stop-words.ts';
import { foldedWords } from '../../../text/terms.ts';
import { queryTerms, tokenize } from '../../../text/tokenize.ts';
import { projectLexeme, quoteLexeme } from '../ingestion/chunk-terms.ts';
import { vectorLiteral } from '../ingestion/insert-chunks.ts';
import {
  type Corpus,
  type CorpusStatistics,
  estimateFrequencies,
  readCorpusStatistics,
} from './corpus-statistics.ts';
import type { CorpusStatisticsCache } from './corpus-statistics-cache.ts';

export interface SearchInput extends Corpus {
  /** Null for full-text search only. */
  readonly queryVector: Float32Array | null;
  /** Default: the statistics are read for each search. */
  readonly statistics?: CorpusStatisticsCache;
  /** How well the model's vocabulary covers the query, 0 to 1. Default 1. */
  readonly vocabularyCoverage?: number;
  /** How to compare the model's cosines with those of the built-in model. Unchanged by default. */
  readonly similarityScale?: SimilarityScale;
  readonly query: string;
  readonly limit: number;
}

export interface Hit {
  readonly chunkId: string;
  readonly documentId: string;
  readonly documentName: string;
  readonly content: string;
  readonly context: string;
  readonly page: number | null;
  readonly startOffset: number;
  readonly endOffset: number;
  /**
   * Relevance, 0 to 1, comparable between queries: the weighted mean of `similarity` and `lexical`. Lower if the
   * document covers a different period (such as a year) from the one in the query (`rankHits`).
   */
  readonly score: number;
  /**
   * Cosine similarity of chunk and query on the scale of the built-in model, 0 to 1; 0 without a vector. Includes
   * sentence similarity after `rerankBySentences`.
   */
  readonly similarity: number;
  /** BM25 score as a share of the maximum possible for the query, 0 to 1. */
  readonly lexical: number;
}

export interface SearchResult {
  /** Best first. */
  readonly hits: Hit[];
  /**
   * Terms of the query that no chunk of the project contains. With more than about 75,000 chunks, terms that are merely
   * absent from the sample may count as present.
   */
  readonly unknownTerms: ReadonlySet<string>;
  /** Inverse document frequency in the project of each term of the query. Empty if nothing is found. */
  readonly termWeights: ReadonlyMap<string, number>;
}

const noResult: SearchResult = { hits: [], unknownTerms: new Set(), termWeights: new Map() };

/**
 * Returns the best matching chunks of a project, best first, from vector and full-text search in one statement. Before,
 * reads the statistics of the project unless they are cached.
 *
 * The score is a convex combination of absolute scores (Bruch, Gai and Ingber 2023, 'An Analysis of Fusion Functions
 * for Hybrid Retrieval', which found it better than rank fusion). The lower the vocabulary coverage, the lower the
 * weight of the vectors.
 */
export async function hybridSearch(client: SqlClient, input: SearchInput): Promise<SearchResult> {
  const vector = input.modelId === null ? null : input.queryVector;
  const terms = queryTerms(input.query);
  if (vector === null && terms.length === 0) return noResult;
  const vocabularyCoverage = input.vocabularyCoverage ?? 1;
  const corpus = { projectId: input.projectId, modelId: vector && input.modelId };
  const statistics = await (input.statistics === undefined
    ? readCorpusStatistics(client, corpus, terms)
    : input.statistics.get(client, corpus, terms));
  const frequencies = estimateFrequencies(statistics, terms);
  const scale = input.similarityScale ?? unchangedScale;
  const rows = await runSql<Row>(client, hybridSearchSql, [
    input.projectId,
    vector && input.modelId,
    vector && vectorLiteral(vector),
    terms.map(quoteLexeme),
    quoteLexeme(projectLexeme(input.projectId)),
    vector ? vectorWeight(vocabularyCoverage) : 0,
    input.limit,
    substitutesOf(input.query, terms),
    frequencies.map(({ expected }) => expected),
    frequencies.map(({ isRare }) => Number(isRare)),
    statistics.chunks,
    statistics.averageLength,
    maxScannedVectors(statistics),
    searchListSize(statistics),
    ...[scale.factor, scale.offset],
  ]);
  const [first] = rows;
  const missing = first ? (first.missing ?? []).map((n) => terms[n - 1] ?? '') : terms;
  return {
    hits: rows.map(({ missing: _, weights: __, ...hit }) => hit),
    unknownTerms: new Set(missing),
    termWeights: new Map(first?.weights?.map((weight, index) => [terms[index] ?? '', weight])),
  };
}

/** `missing`: numbers of the terms that no chunk contains, from 1. `weights`: of each term. */
type Row = Hit & { readonly missing: number[] | null; readonly weights: number[] | null };

/**
 * Returns for each term, if no chunk contains it, which other term must be in a chunk so that it does not lower the
 * score: 0 if there is none. A function word or a word of degree needs none, so the result is its own number. The first letters of a word
 * need the word, because the index contains first letters for some languages only.
 */
function substitutesOf(query: string, terms: readonly string[]): number[] {
  const functionWords = foldedWords(query).filter((word) => stopWords.has(word));
  const optional = new Set(
    [...functionWords, ...degreeWords(query)].flatMap((word) => tokenize(word).flat()),
  );
  const substitutes = new Map<string, number>();
  for (const [word = '', ...others] of tokenize(query)) {
    for (const term of others) {
      if (term.endsWith('*')) substitutes.set(term, terms.indexOf(word) + 1);
    }
  }
  return terms.map((term, index) =>
    optional.has(term) ? index + 1 : (substitutes.get(term) ?? 0),
  );
}

function vectorWeight(vocabularyCoverage: number): number {
  return 0.1 + 0.35 * vocabularyCoverage;
}

/** Returns the `score` of a hit. Call it again after `similarity` changes. */
export function fusedScore(
  { similarity, lexical }: Pick<Hit, 'similarity' | 'lexical'>,
  vocabularyCoverage: number,
): number {
  const weight = vectorWeight(vocabularyCoverage);
  return weight * similarity + (1 - weight) * lexical;
}

const wantedVectors = 100;
const minIndexedChunks = 2_000;

/**
 * Returns how many vectors a search reads from the HNSW index before it scans the project exactly, or 0 for an exact scan
 * at once, which is as fast for fewer than 2,000 vectors. The index contains all projects of its partition: one of `indexedVectors / chunks` vectors is of the project,
 * and each takes ten times as long as in an exact scan. It meets more vectors of others if the query is about what only
 * other projects contain, but at most as many as take thrice an exact scan.
 */
export function maxScannedVectors({ chunks, indexedVectors }: CorpusStatistics): number {
  const isFaster =
    indexedVectors > 0 &&
    chunks >= minIndexedChunks &&
    chunks * chunks > 10 * wantedVectors * indexedVectors;
  return isFaster ? Math.ceil(chunks / 5) : 0;
}

/**
 * Returns `hnsw.ef_search`. The shorter list takes half the time, with a recall of .97 and more, but only where nearly all
 * vectors that the scan meets are of the project.
 */
export function searchListSize({ chunks, indexedVectors }: CorpusStatistics): number {
  return indexedVectors <= Math.min(2 * chunks, 100_000) ? 100 : 200;
}

/**
 * $1 project, $2 model, $3 query vector, $4 query terms, $5 the project's lexeme, $6 weight of the vectors, $7 limit,
 * $8 numbers of the terms' substitutes (`substitutesOf`), $9 expected number of chunks per term, $10 1 for rare terms,
 * $11 number of chunks, $12 mean length, $13 maximum number of vectors to read from the index (`maxScannedVectors`),
 * $14 size of its search list, $15 and $16 the similarity scale.
 *
 * Computes BM25 (Robertson and Zaragoza 2009, k1 = 1.2, b = 0.75; idf as in Lucene) without a postings table:
 * - Rare terms are counted exactly in the GIN index. Common terms find no chunks: they only raise the score of chunks
 *   that rare terms or the vectors find.
 * - The second condition on `terms` is implied. It makes a plan for any project use the GIN index, also if most projects
 *   are small.
 * - `nearest` reads as many more vectors as are hidden, because their attempt is not published. They come in order.
 * - `asked` parses the vector once, not for each row.
 * - `ts_rank` of one term with weight 1 is (1 + 1/4 + 1/9 + … + 1/tf²) · 6/π², from which `grounded.bm25` derives tf.
 */
const hybridSearchSql = {
  name: 'hybrid-search',
  text: `
with asked as materialized (
  select grounded.vector_of($3::text) as vector
), chosen as materialized (
  select n, substitute, expected, is_rare = 1 as is_rare, query::tsquery as query, ($5 || ' & ' || query)::tsquery as own_query
  from unnest($4::text[], $8::int[], $9::float8[], $10::int[]) with ordinality
    as t (query, substitute, expected, is_rare, n)
), posting as materialized (
  select t.n, c.id, c.length, ts_rank('{1,1,1,1}'::real[], c.terms, t.query) as rank
  from chosen t cross join lateral (
    select id, length, terms from grounded.searchable_chunks
    where terms @@ t.own_query and terms @@ t.query and project_id = $1::uuid limit 5000) c
  where t.is_rare
), weight as materialized (
  select n, substitute, query, is_rare, found, ln(1 + ($11::float8 - found + 0.5) / (found + 0.5)) as idf
  from (
    select n, substitute, query, is_rare, least($11::float8, case when is_rare and coalesce(matches, 0) < 5000
      then coalesce(matches, 0) else expected end) as found
    from chosen left join (select n, count(*) as matches from posting group by n) p using (n) offset 0) f
), bound as materialized (
  select greatest(sum(w.idf) filter (where w.found > 0 or s.n is null or (s.n <> w.n and s.found = 0)), 1e-9) as best,
    array_agg(w.n::int) filter (where w.found = 0) as missing,
    array_agg(w.idf order by w.n) as weights
  from weight w left join weight s on s.n = w.substitute
), rare as materialized (
  select id, sum((select array_agg(idf order by n) from weight)[n] * grounded.bm25(rank, length / $12::float8)) as score
  from posting group by id order by score desc, id limit 200
), hidden as materialized (
  select coalesce(sum(chunks), 0)::int as vectors from grounded.hidden_chunks where project_id = $1::uuid
), nearest as materialized (
  select v.id, v.similarity from asked, hidden, grounded.nearest_vectors(
    $1::uuid, $2::smallint, asked.vector, $13::int, $14::int, ${wantedVectors} + hidden.vectors) v
  where $2::smallint is not null and (hidden.vectors = 0
    or exists (select from grounded.published_chunks p where p.project_id = $1::uuid and p.id = v.id))
  limit ${2 * wantedVectors}
), candidate as materialized (
  select id, max(score) as score, max(similarity) as similarity
  from (select id, score, null as similarity from rare union all select id, null, similarity from nearest) c group by id
), scored as materialized (
  select c.id, coalesce(candidate.score, 0) + coalesce((
      select sum(idf * grounded.bm25(rank, c.length / $12::float8))
      from (select idf, ts_rank('{1,1,1,1}'::real[], c.terms, query) as rank from weight where not is_rare offset 0) r
    ), 0) as raw,
    coalesce(similarity, -grounded.distance(v.embedding, (select vector from asked))) as cosine
  from candidate join grounded.chunks c on c.project_id = $1::uuid and c.id = candidate.id
  left join grounded.chunk_vectors v on v.project_id = $1::uuid and v.chunk_id = c.id
    and v.model_id = $2::smallint and similarity is null
), best as materialized (
  select id, lexical, similarity, $6::float8 * similarity + (1 - $6::float8) * lexical as score
  from bound, scored, lateral (
    select least(raw / best, 1) as lexical, least(greatest($15::float8 * cosine + $16::float8, 0), 1) as similarity) s
  order by score desc, id limit $7::int
)
select c.id as "chunkId", c.document_id as "documentId", d.name as "documentName", c.content, c.context, c.page,
  c.start_offset as "startOffset", c.end_offset as "endOffset", b.score, b.similarity, b.lexical,
  bound.missing, bound.weights
from bound cross join best b join grounded.chunks c on c.project_id = $1::uuid and c.id = b.id
join grounded.documents d on d.id = c.document_id and d.project_id = $1::uuid
order by b.score desc, c.id`,
};
