import type { Sql } from '../sql.ts';
import { projectLexeme, quoteLexeme } from './chunk-rows.ts';
import { queryTerms } from './tokenize.ts';
import { vectorLiteral } from './write-chunks.ts';

export interface SearchInput {
  readonly projectId: string;
  /** The model whose vectors are searched, and the query's vector by it; null for full text alone. */
  readonly modelId: number | null;
  readonly queryVector: Float32Array | null;
  /** How well the model knows the words of the query, 0 to 1; 1 when left out. */
  readonly familiarity?: number;
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
   * 0 to 1, comparable between queries: the weighted mean of `similarity` and `lexical`, less for another period than
   * the one asked for (`rankHits`).
   */
  readonly score: number;
  /** Cosine of chunk and query, 0 to 1, its sentences considered where these are compared; 0 without a vector. */
  readonly similarity: number;
  /** BM25 as a share of what the query could reach, 0 to 1. */
  readonly lexical: number;
}

/**
 * The chunks of a project that match best, best first: vectors and full text fused in one statement. The fusion is a
 * convex combination of absolute scores (Bruch, Gai and Ingber 2023, 'An Analysis of Fusion Functions for Hybrid
 * Retrieval', which found it better than ranks), with less weight on vectors the less the model knows the words.
 */
export async function hybridSearch(sql: Sql, input: SearchInput): Promise<Hit[]> {
  const vector = input.modelId === null ? null : input.queryVector;
  const terms = queryTerms(input.query);
  if (vector === null && terms.length === 0) return [];
  const familiarity = input.familiarity ?? 1;
  const rows = await sql.query(SEARCH, [
    input.projectId,
    vector && input.modelId,
    vector && vectorLiteral(vector),
    terms.map(quoteLexeme),
    quoteLexeme(projectLexeme(input.projectId)),
    vector ? vectorWeight(familiarity) : 0,
    input.limit,
  ]);
  return rows.map(hit);
}

/** The weight of `similarity` in the score, by how well the model knows the words of the query. */
function vectorWeight(familiarity: number): number {
  return 0.1 + 0.35 * familiarity;
}

/** The score of a hit whose similarity is known better than by its vector. */
export function fusedScore(
  { similarity, lexical }: Pick<Hit, 'similarity' | 'lexical'>,
  familiarity: number,
): number {
  const weight = vectorWeight(familiarity);
  return weight * similarity + (1 - weight) * lexical;
}

function hit(row: Record<string, unknown>): Hit {
  return {
    chunkId: String(row.chunk_id),
    documentId: String(row.document_id),
    documentName: String(row.document_name),
    content: String(row.content),
    context: String(row.context),
    page: row.page === null ? null : Number(row.page),
    startOffset: Number(row.start_offset),
    endOffset: Number(row.end_offset),
    score: Number(row.score),
    similarity: Number(row.similarity),
    lexical: Number(row.lexical),
  };
}

/**
 * $1 project, $2 model, $3 query vector, $4 query terms, $5 the project's lexeme, $6 weight of the vectors, $7
 * limit.
 *
 * BM25 (Robertson and Zaragoza 2009, k1 = 1.2, b = 0.75; idf as in Lucene) without a table of postings:
 * - How many chunks there are follows from the 256 of the lowest hash: 255 over the highest of theirs, as a share of all
 *   hashes (Beyer et al. 2007, 'On Synopses for Distinct-Value Estimation', 6 % off). No counter, for which the writers
 *   of a project would wait for one another.
 * - How common a term is, is first estimated from the same chunks. The rarer terms, up to 1,500 expected chunks, are looked
 *   up in the GIN index and counted exactly; the commoner ones only add to the score of the best by those.
 * - `ts_rank` of one term with weight 1 is (1 + 1/4 + 1/9 + … + 1/tf²) · 6/π², from which tf follows.
 */
const SEARCH = `
with term as materialized (
  select n, query::tsquery as query, ($5 || ' & ' || query)::tsquery as own_query
  from unnest($4::text[]) with ordinality as t (query, n)
), sample as materialized (
  select terms, length, uuid_hash(id) as hash from grounded.chunks where project_id = $1::uuid
  order by uuid_hash(id) limit 256
), corpus as materialized (
  select case when count(*) < 256 then greatest(count(*), 1)
      else greatest(255 * 4294967296 / (max(hash) + 2147483648 + 1)::float8, 256) end::float8 as chunks,
    greatest(count(*), 1)::float8 as sampled, greatest(avg(length), 1)::float8 as length
  from sample
), estimate as materialized (
  select n, query, own_query, chunks / sampled * greatest(
    (select count(*) from sample where terms @@ query), case when sampled < chunks then 0.5 else 0 end) as expected
  from term, corpus
), chosen as materialized (
  select *, row_number() over ascending = 1 or sum(expected) over ascending <= 1500 as is_rare
  from estimate window ascending as (order by expected, n)
), posting as materialized (
  select t.n, c.id, c.length, ts_rank('{1,1,1,1}'::real[], c.terms, t.query) as rank
  from chosen t cross join lateral (
    select id, length, terms from grounded.searchable_chunks
    where terms @@ t.own_query and project_id = $1::uuid limit 5000) c
  where t.is_rare
), weight as materialized (
  select n, query, is_rare, ln(1 + (chunks - found + 0.5) / (found + 0.5)) as idf
  from corpus, lateral (
    select n, query, is_rare, least(chunks, case when is_rare and coalesce(matches, 0) < 5000
      then coalesce(matches, 0) else expected end) as found
    from chosen left join (select n, count(*) as matches from posting group by n) p using (n) offset 0) f
), bound as materialized (
  select greatest(sum(idf), 1e-9) as best from weight
), rare as materialized (
  select posting.id, sum(idf * grounded.bm25(rank, posting.length / corpus.length)) as score
  from posting join weight using (n), corpus
  group by posting.id order by score desc, posting.id limit 200
), nearest as materialized (
  select v.id, v.similarity from corpus, grounded.nearest(
    $1::uuid, $2::smallint, grounded.vector_of($3::text), corpus.chunks, 100) v
  where $2::smallint is not null
), candidate as materialized (
  select id, max(score) as score, max(similarity) as similarity
  from (select id, score, null as similarity from rare union all select id, null, similarity from nearest) c
  group by id
), scored as materialized (
  select c.id, coalesce(candidate.score, 0) + coalesce((
      select sum(idf * grounded.bm25(rank, c.length / corpus.length))
      from (select idf, ts_rank('{1,1,1,1}'::real[], c.terms, query) as rank from weight where not is_rare offset 0) r
    ), 0) as raw,
    coalesce(similarity, -grounded.distance(v.embedding, grounded.vector_of($3::text)), 0) as cosine
  from corpus, candidate join grounded.chunks c on c.project_id = $1::uuid and c.id = candidate.id
  left join grounded.chunk_vectors v on v.project_id = $1::uuid and v.chunk_id = c.id
    and v.model_id = $2::smallint and similarity is null
), best as materialized (
  select id, lexical, similarity, $6::float8 * similarity + (1 - $6::float8) * lexical as score
  from bound, scored, lateral (
    select least(raw / best, 1) as lexical, least(greatest(cosine, 0), 1) as similarity) s
  order by score desc, id limit $7::int
)
select c.id as chunk_id, c.document_id, d.name as document_name, c.content, c.context, c.page,
  c.start_offset, c.end_offset, b.score, b.similarity, b.lexical
from best b join grounded.chunks c on c.project_id = $1::uuid and c.id = b.id
join grounded.documents d on d.id = c.document_id and d.project_id = $1::uuid
order by b.score desc, c.id`;
