import { bm25Sql } from './bm25-sql.ts';

/** Number of nearest vectors that a search considers. */
export const wantedVectors = 100;

/** If at most this many chunks match the filter, each of them is compared with all terms of the query. */
export const maxReadChunks = 5_000;

/** The SQL steps that differ between a search of all documents of a project and a search with a filter. */
export interface SearchedDocuments {
  /** Steps up to and including `rare`, which returns the chunks with the best full-text scores. */
  readonly rare: string;
  /** Function call that returns the nearest vectors. Uses the steps `asked` and `hidden`. */
  readonly nearest: string;
}

export const allDocuments: SearchedDocuments = {
  rare: `rare as materialized (
  select id, sum((select weights from bound)[n] * ${bm25Sql('rank', 'length / $12::float8')}) as score
  from posting group by id order by score desc, id limit 200
)`,
  nearest: `grounded.nearest_vectors(
    $1::uuid, $2::smallint, asked.vector, $13::int, $14::int, ${wantedVectors} + hidden.vectors)`,
};

/**
 * Returns the steps for a search of only those documents for which the condition on `d` is true.
 *
 * - If at most 5,000 chunks match, each chunk that contains a term is a candidate, because perhaps none of them
 *   contains a rare term of the project. If more match, each chunk that contains a rare term is a candidate.
 * - `score` contains only the rare terms. The step `scored` adds the other terms.
 */
export function matchingDocuments(condition: string): SearchedDocuments {
  return {
    rare: `matching as materialized (
  select d.id, d.chunk_count from grounded.filterable_documents d where d.project_id = $1::uuid and ${condition}
), matched as materialized (
  select coalesce(array_agg(id), '{}') as documents, coalesce(sum(chunk_count), 0)::int as chunks from matching
), matching_posting as materialized (
  select t.n, c.id, c.length, ts_rank('{1,1,1,1}'::real[], c.terms, t.query) as rank
  from grounded.published_chunks c join chosen t on c.terms @@ t.query
  where c.project_id = $1::uuid and c.document_id = any ((select documents from matched)::uuid[])
    and (select chunks from matched) <= ${maxReadChunks}
  union all
  select n, id, length, rank from posting
  where document_id in (select id from matching) and (select chunks from matched) > ${maxReadChunks}
), rare as materialized (
  select p.id, sum(p.score) filter (where t.is_rare) as score
  from chosen t join (
    select id, n, (select weights from bound)[n] * ${bm25Sql('rank', 'length / $12::float8')} as score
    from matching_posting offset 0) p using (n)
  group by p.id order by sum(p.score) desc, p.id limit 200
)`,
    nearest: `matched, grounded.nearest_matching($1::uuid, $2::smallint, asked.vector, matched.documents,
    case when matched.chunks <= $13::int then 0 else matched.chunks / 5 end, $14::int, ${wantedVectors} + hidden.vectors)`,
  };
}
