import { runSql, type SqlClient } from '../../../platform/postgres/run-sql.ts';
import { projectLexeme, quoteLexeme } from '../ingestion/chunk-terms.ts';

/**
 * Returns those terms that a chunk of the project contains, with the number of chunks. Counting stops at 20. Needs one
 * index lookup per term.
 */
export async function countKnownTerms(
  client: SqlClient,
  projectId: string,
  terms: readonly string[],
): Promise<Map<string, number>> {
  if (terms.length === 0) return new Map();
  const rows = await runSql<{ n: number; chunks: number }>(client, knownTermsSql, [
    projectId,
    terms.map(quoteLexeme),
    quoteLexeme(projectLexeme(projectId)),
  ]);
  return new Map(rows.map(({ n, chunks }) => [terms[n - 1] ?? '', chunks]));
}

/**
 * Returns terms of at least seven letters that start with `letter`, from a sample of at most 256 chunks. For a small
 * project, the sample contains the complete vocabulary. For a large project, it contains the frequent terms.
 */
export async function sampleLongTerms(
  client: SqlClient,
  projectId: string,
  letter: string,
): Promise<string[]> {
  const rows = await runSql<{ term: string }>(client, sampledTermsSql, [projectId, letter]);
  return rows.map(({ term }) => term);
}

/** Parameters: $1 project, $2 terms, $3 the project's lexeme. */
const knownTermsSql = `
select n::int, chunks::int from unnest($2::text[]) with ordinality as t (query, n), lateral (
  select count(*) as chunks from (select 1 from grounded.searchable_chunks
    where terms @@ ($3 || ' & ' || query)::tsquery and project_id = $1::uuid limit 20) found) f
where chunks > 0`;

/** Parameters: $1 project, $2 first letter. */
const sampledTermsSql = `
select distinct lexeme as term
from (select terms from grounded.published_chunks where project_id = $1::uuid order by uuid_hash(id) limit 256) sample,
  unnest(terms)
where lexeme like $2 || '______%' and length(lexeme) <= 24`;
