import type { Sql } from '../sql.ts';
import { projectLexeme, quote } from './chunk-rows.ts';
import { queryTerms } from './tokenize.ts';
import { vectorLiteral } from './write-chunks.ts';

export interface SearchInput {
  readonly projectId: string;
  /** The model whose vectors are searched, and the query's vector by it; null for full text alone. */
  readonly modelId: number | null;
  readonly queryVector: Float32Array | null;
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
  /** 0 to 1: `DENSE_WEIGHT` of `similarity`, the rest of `lexical`. Comparable between queries. */
  readonly score: number;
  /** Cosine of chunk and query, 0 to 1; 0 without a vector. */
  readonly similarity: number;
  /** BM25 as a share of what the query could reach, 0 to 1. */
  readonly lexical: number;
}

const DENSE_WEIGHT = 0.4;

/** The chunks of a project that match best, best first: vectors and full text in one statement. */
export async function hybridSearch(sql: Sql, input: SearchInput): Promise<Hit[]> {
  const vector = input.modelId === null ? null : input.queryVector;
  const rows = await sql.query(SEARCH, [
    input.projectId,
    vector && input.modelId,
    vector && vectorLiteral(vector),
    queryTerms(input.query).map(quote),
    quote(projectLexeme(input.projectId)),
    vector ? DENSE_WEIGHT : 0,
    input.limit,
  ]);
  return rows.map(hit);
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
 * $1 project, $2 model, $3 query vector, $4 query terms, $5 the project's lexeme, $6 weight of the vector, $7 limit.
 *
 * BM25 (Robertson and Zaragoza 2009, k1 = 1.2, b = 0.75; idf as in Lucene) without a table of postings:
 * - How common a term is, is first estimated from at most 512 chunks. The rarer terms, up to 1,500 expected chunks,
 *   choose the candidates through the GIN index and are then counted exactly; the commoner ones only add to the score.
 * - `ts_rank` of one term with weight 1 is (1 + 1/4 + 1/9 + … + 1/tf²) · 6/π², from which tf follows.
 */
const SEARCH = `
with term as materialized (
  select n, query::tsquery as query from unnest($4::text[]) with ordinality as t (query, n)
), sample as materialized (
  select terms, length from grounded.chunks where project_id = $1::uuid order by id limit 512
), corpus as materialized (
  select greatest(
      (select sum(chunk_count) from grounded.documents where project_id = $1::uuid), count(*), 1)::float8 as chunks,
    greatest(avg(length), 1)::float8 as length, greatest(count(*), 1)::float8 as sampled
  from sample
), estimate as materialized (
  select term.n, term.query, corpus.chunks / corpus.sampled * count(sample.terms) as chunks
  from corpus, term left join sample on sample.terms @@ term.query
  group by term.n, term.query, corpus.chunks, corpus.sampled
), chosen as materialized (
  select n, query, chunks,
    row_number() over ascending = 1 or sum(chunks) over ascending <= 1500 as is_rare
  from estimate window ascending as (order by chunks, n)
), matching as materialized (
  select id, length, terms from grounded.chunks
  where project_id = $1::uuid and terms @@ (
    select ($5 || ' & (' || string_agg(query::text, ' | ') || ')')::tsquery from chosen where is_rare)
  limit 4000
), nearest as materialized (
  select v.chunk_id as id, -grounded.distance(v.embedding, grounded.vector_of($3::text)) as similarity
  from grounded.chunk_vectors v
  where v.project_id = $1::uuid and v.model_id = $2::smallint
  order by grounded.distance(v.embedding, grounded.vector_of($3::text))
  limit 100
), candidate as materialized (
  select id, length, terms from matching
  union all
  select c.id, c.length, c.terms from nearest join grounded.chunks c using (id)
  where c.id not in (select id from matching)
), occurrence as materialized (
  select candidate.id, candidate.length, chosen.n,
    round(1 / (1.6449340668 * (1 - least(ts_rank('{1,1,1,1}'::real[], candidate.terms, chosen.query), 0.9975))) - 0.5) as tf
  from candidate join chosen on candidate.terms @@ chosen.query
), weight as materialized (
  select chosen.n, ln(1 + (corpus.chunks - df + 0.5) / (df + 0.5)) as idf
  from corpus, chosen left join (select n, count(*) as found from occurrence group by n) o using (n),
    lateral (select least(case when is_rare then coalesce(o.found, 0) else chosen.chunks end, corpus.chunks) as df) f
), lexical as materialized (
  select o.id, sum(idf * tf / (tf + 1.2 * (0.25 + 0.75 * o.length / corpus.length)))
    / (select sum(idf) from weight) as score
  from corpus, occurrence o join weight using (n)
  group by o.id
), pool as materialized (
  (select id from lexical order by score desc, id limit 100) union select id from nearest
), scored as materialized (
  select pool.id, coalesce(lexical.score, 0) as lexical,
    greatest(coalesce(nearest.similarity, -grounded.distance(v.embedding, grounded.vector_of($3::text)), 0), 0) as similarity
  from pool left join lexical using (id) left join nearest using (id)
  left join grounded.chunk_vectors v on v.chunk_id = pool.id and v.model_id = $2::smallint
)
select c.id as chunk_id, c.document_id, d.name as document_name, c.content, c.context, c.page,
  c.start_offset, c.end_offset, s.lexical, least(s.similarity, 1) as similarity,
  $6::float8 * least(s.similarity, 1) + (1 - $6::float8) * s.lexical as score
from scored s join grounded.chunks c using (id) join grounded.documents d on d.id = c.document_id
where d.status <> 'FAILED'
order by score desc, c.id limit $7::int`;
