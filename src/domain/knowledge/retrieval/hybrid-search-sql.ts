import type { DocumentFilter } from '../filter/document-filter.ts';
import { filterSql } from '../filter/filter-sql.ts';
import { bm25Sql } from './bm25-sql.ts';
import {
  allDocuments,
  matchingDocuments,
  type SearchedDocuments,
  wantedVectors,
} from './searched-documents-sql.ts';

/**
 * Parameters: $1 project, $2 model, $3 query vector, $4 query terms, $5 the project's lexeme, $6 weight of the vectors,
 * $7 limit, $8 numbers of the terms' substitutes (`substitutesOf`), $9 expected number of chunks per term, $10 1 for
 * rare terms, $11 number of chunks, $12 mean length, $13 maximum number of vectors to read from the index
 * (`maxScannedVectors`), $14 size of the index's search list, $15 and $16 the similarity scale.
 *
 * Computes BM25 (Robertson and Zaragoza 2009, k1 = 1.2, b = 0.75; idf as in Lucene) without a postings table:
 * - Rare terms are counted exactly in the GIN index. Common terms do not find chunks. They only raise the score of
 *   chunks that rare terms or the vectors find.
 * - The first condition on `terms` implies the second. The second makes Postgres use the GIN index for every project,
 *   even if most projects are small.
 * - Hidden vectors are those whose attempt is not published. `nearest` reads as many additional vectors as are hidden.
 *   The vectors arrive in order of similarity.
 * - `asked` parses the query vector only once, instead of once per row.
 * - With a filter, the counts of terms still come from the whole project (`matchingDocuments`).
 */
function searchSql(documents: SearchedDocuments): string {
  return `
with asked as materialized (
  select $3::text::grounded.embedding as vector
), chosen as materialized (
  select n, substitute, expected, is_rare = 1 as is_rare, query::tsquery as query, ($5 || ' & ' || query)::tsquery as own_query
  from unnest($4::text[], $8::int[], $9::float8[], $10::int[]) with ordinality
    as t (query, substitute, expected, is_rare, n)
), posting as materialized (
  select t.n, c.id, c.document_id, c.length, ts_rank('{1,1,1,1}'::real[], c.terms, t.query) as rank
  from chosen t cross join lateral (
    select id, document_id, length, terms from grounded.searchable_chunks
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
), ${documents.rare}, hidden as materialized (
  select coalesce(sum(chunks), 0)::int as vectors from grounded.hidden_chunks where project_id = $1::uuid
), nearest as materialized (
  select v.id, v.similarity from asked, hidden, ${documents.nearest} v
  where $2::smallint is not null and (hidden.vectors = 0
    or exists (select from grounded.published_chunks p where p.project_id = $1::uuid and p.id = v.id))
  limit ${2 * wantedVectors}
), candidate as materialized (
  select id, max(score) as score, max(similarity) as similarity
  from (select id, score, null as similarity from rare union all select id, null, similarity from nearest) c group by id
), scored as materialized (
  select c.id, c.document_id, c.content, c.context, c.page, c.start_offset, c.end_offset, c.blocks, coalesce(score, 0) + coalesce((
      select sum(idf * ${bm25Sql('rank', 'c.length / $12::float8')})
      from (select idf, ts_rank('{1,1,1,1}'::real[], c.terms, query) as rank from weight where not is_rare offset 0) r
    ), 0) as raw,
    coalesce(similarity, (
      select -(v.embedding operator(grounded.<#>) (select vector from asked)) from grounded.chunk_vectors v
      where v.project_id = $1::uuid and v.chunk_id = c.id and v.model_id = $2::smallint)) as cosine
  from candidate join grounded.chunks c on c.project_id = $1::uuid and c.id = candidate.id
), best as materialized (
  select f.*, row_number() over (order by score desc, id) as place
  from (
    select scored.*, lexical, similarity, $6::float8 * similarity + (1 - $6::float8) * lexical as score
    from bound, scored, lateral (
      select least(raw / best, 1) as lexical, least(greatest($15::float8 * cosine + $16::float8, 0), 1) as similarity) s
  ) f order by score desc, id limit $7::int
)
select b.id as "chunkId", b.document_id as "documentId", d.name as "documentName", b.content, b.context, b.page,
  b.start_offset as "startOffset", b.end_offset as "endOffset", b.blocks, b.score, b.similarity, b.lexical,
  case when place = 1 then bound.missing end as missing, case when place = 1 then bound.weights end as weights,
  d.source_url as "sourceUrl", d.metadata
from bound cross join best b join grounded.documents d on d.id = b.document_id and d.project_id = $1::uuid
order by place`;
}

/** The statement that searches all documents of a project. */
export const hybridSearchSql = { name: 'hybrid-search', text: searchSql(allDocuments) };

const parameterCount = 16;

/**
 * Returns the statement that searches only documents which match a filter, and the values that follow the first 16. If
 * the number of matching chunks is at most $13, they are scanned exactly (`maxExactChunks`). The statement has no name,
 * because each filter has a different statement.
 */
export function filteredSearch(filter: DocumentFilter) {
  const { sql, values } = filterSql(filter, parameterCount);
  return { statement: searchSql(matchingDocuments(sql)), values };
}
