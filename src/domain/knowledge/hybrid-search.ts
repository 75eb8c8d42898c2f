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
 * - How common a term is, is first estimated from 256 chunks. The rarer terms, up to 1,500 expected chunks, are looked
 *   up in the GIN index and counted exactly; the commoner ones only add to the score of the best by those.
 * - `ts_rank` of one term with weight 1 is (1 + 1/4 + 1/9 + … + 1/tf²) · 6/π², from which tf follows.
 */
const SEARCH = `
with term as materialized (
  select n, query::tsquery as query, ($5 || ' & ' || query)::tsquery as own_query
  from unnest($4::text[]) with ordinality as t (query, n)
), sample as materialized (
  select terms, length from grounded.chunks where project_id = $1::uuid order by id limit 256
), corpus as materialized (
  select greatest(count(*), (select sum(chunk_count) from grounded.documents where project_id = $1::uuid), 1)::float8
      as chunks,
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
    select id, length, terms from grounded.chunks
    where terms @@ t.own_query and project_id = $1::uuid offset 0) c
  where t.is_rare
), weight as materialized (
  select n, query, is_rare, ln(1 + (chunks - found + 0.5) / (found + 0.5)) as idf
  from corpus, lateral (
    select n, query, is_rare, least(chunks, case when is_rare
      then coalesce(matches, 0) else expected end) as found
    from chosen left join (select n, count(*) as matches from posting group by n) p using (n) offset 0) f
), bound as materialized (
  select greatest(sum(idf), 1e-9) as best from weight
), rare as materialized (
  select posting.id, sum(idf * grounded.bm25(rank, posting.length / corpus.length)) as score
  from posting join weight using (n), corpus
  group by posting.id order by score desc, posting.id limit 200
), nearest as materialized (
  select chunk_id as id, -distance as similarity from (
    select chunk_id, grounded.distance(embedding, grounded.vector_of($3::text)) as distance
    from grounded.chunk_vectors where project_id = $1::uuid and model_id = $2::smallint) v
  order by distance limit 100
), candidate as materialized (
  select id from rare union select id from nearest
), scored as materialized (
  select c.id, coalesce(rare.score, 0) + coalesce((
      select sum(idf * grounded.bm25(rank, c.length / corpus.length))
      from (select idf, ts_rank('{1,1,1,1}'::real[], c.terms, query) as rank from weight where not is_rare offset 0) r
    ), 0) as score,
    coalesce(nearest.similarity, -grounded.distance(v.embedding, grounded.vector_of($3::text)), 0) as similarity
  from corpus, candidate join grounded.chunks c using (id) left join rare using (id) left join nearest using (id)
  left join grounded.chunk_vectors v on v.chunk_id = c.id and v.model_id = $2::smallint and nearest.id is null
), fused as (
  select id, lexical, cosine, $6::float8 * cosine + (1 - $6::float8) * lexical as score
  from scored, bound, lateral (
    select least(scored.score / best, 1) as lexical, least(greatest(similarity, 0), 1) as cosine) f
  order by score desc, id limit $7::int
)
select c.id as chunk_id, c.document_id, d.name as document_name, c.content, c.context, c.page,
  c.start_offset, c.end_offset, f.score, f.cosine as similarity, f.lexical
from fused f join grounded.chunks c using (id) join grounded.documents d on d.id = c.document_id
where d.status <> 'FAILED'
order by f.score desc, c.id`;
