import { notFound } from '../../../platform/errors.ts';
import { runSql } from '../../../platform/postgres/run-sql.ts';
import type { Caller } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { allOf, type DocumentFilter } from './document-filter.ts';
import { filterSql } from './filter-sql.ts';
import { parseFilter } from './parse-filter.ts';

/**
 * Returns the filter of the calling API key, or null if the caller sees all documents of its projects. While a document
 * is being replaced, its fields already describe the new version, but its text is still the old version. Such a
 * document matches only after the new text is published.
 */
export function callerFilter(caller: Caller): DocumentFilter | null {
  const filter = caller.type === 'key' ? parseFilter(caller.filter) : null;
  return filter === null ? null : allOf([filter, { type: 'current' }]);
}

/**
 * Refuses a document that the filter of the calling API key excludes. If the key has no filter, does not query the
 * database.
 *
 * @throws DomainError NOT_FOUND
 */
export async function requireVisibleDocument(
  context: Pick<Context, 'caller' | 'db'>,
  document: { readonly projectId: string; readonly id: string },
): Promise<void> {
  if (!(await isVisibleDocument(context, document))) throw notFound('Document');
}

/** Returns whether the caller sees the document. */
export async function isVisibleDocument(
  { caller, db }: Pick<Context, 'caller' | 'db'>,
  { projectId, id }: { readonly projectId: string; readonly id: string },
): Promise<boolean> {
  const filter = callerFilter(caller);
  if (filter === null) return true;
  const { sql, values } = filterSql(filter, 2);
  const found = await runSql<{ id: string }>(
    db,
    `select d.id from grounded.documents d where d.project_id = $1::uuid and d.id = $2::uuid and ${sql}`,
    [projectId, id, ...values],
  );
  return found.length > 0;
}

/**
 * Returns the ids of those documents that the caller sees. If the caller has no filter, does not query the database.
 */
export async function visibleDocumentIds(
  { caller, db }: Pick<Context, 'caller' | 'db'>,
  projectId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const filter = callerFilter(caller);
  if (filter === null) return ids;
  const { sql, values } = filterSql(filter, 2);
  const found = await runSql<{ id: string }>(
    db,
    `select d.id from grounded.documents d where d.project_id = $1::uuid and d.id = any ($2::uuid[]) and ${sql}`,
    [projectId, ids, ...values],
  );
  return found.map(({ id }) => id);
}
