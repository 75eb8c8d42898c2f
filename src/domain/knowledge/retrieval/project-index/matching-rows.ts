import { runSql, type SqlClient } from '../../../../platform/postgres/run-sql.ts';
import type { DocumentFilter } from '../../filter/document-filter.ts';
import { filterSql } from '../../filter/filter-sql.ts';
import type { ProjectIndex } from './project-index.ts';

/** The rows of an index whose documents match a filter. */
export interface MatchingRows {
  /** Number of matching rows. */
  readonly count: number;
  /** One element for each row of the index: 1 if it matches, otherwise 0. */
  readonly isMatching: Uint8Array;
}

/** If more documents match, the database is searched: the list of their ids would take longer than that search. */
const maxMatchingDocuments = 5_000;

/** Returns the ids of the documents that match a filter. Returns null if there are too many for a search in memory. */
export async function readMatchingDocuments(
  client: SqlClient,
  projectId: string,
  filter: DocumentFilter,
): Promise<readonly string[] | null> {
  const { sql, values } = filterSql(filter, 2);
  const [row] = await runSql<{ ids: string | null; count: number }>(
    client,
    `select string_agg(id::text, ' ') as ids, count(*)::int as count from (
      select d.id from grounded.filterable_documents d where d.project_id = $1::uuid and ${sql} limit $2::int) m`,
    [projectId, maxMatchingDocuments + 1, ...values],
  );
  if (row === undefined || row.count > maxMatchingDocuments) return null;
  return row.ids?.split(' ') ?? [];
}

/** Returns the rows of these documents. */
export function matchingRows(index: ProjectIndex, documentIds: readonly string[]): MatchingRows {
  const isMatching = new Uint8Array(index.rows);
  let count = 0;
  for (const id of documentIds) {
    const rows = index.rowsOf(id);
    for (const row of rows) isMatching[row] = 1;
    count += rows.length;
  }
  return { count, isMatching };
}
