import { escapeLike } from '../../platform/postgres/escape-like.ts';
import type { DocumentStatus } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql, type SqlValue } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { type ListPart, partSql, type SortKeys } from '../list-place.ts';
import type { DocumentFilter } from './filter/document-filter.ts';
import { filterSql } from './filter/filter-sql.ts';

// Lists of documents for API keys with a filter. Prisma cannot express the filter, so an SQL statement finds the ids.

/** Selects the documents of a list. */
export interface ListedDocuments {
  readonly projectId: string;
  readonly filter: DocumentFilter;
  /** Text that the name must contain. Ignores case. */
  readonly search?: string | null;
  readonly status?: DocumentStatus | null;
  readonly externalId?: string | null;
  readonly tag?: string | null;
  readonly sourceId?: string | null;
  readonly mimeType?: string | null;
  readonly language?: string | null;
  readonly hasWarnings?: boolean | null;
}

/** Returns the ids of one part of the list. */
export async function listMatchingIds(
  { db }: Pick<Context, 'db'>,
  listed: ListedDocuments,
  order: SortKeys,
  { cursor, take, skip }: ListPart,
): Promise<string[]> {
  const { sql, values } = conditionOf(listed, 2);
  const part = partSql({ cursor, take }, order, 2 + values.length);
  const rows = await runSql<{ id: string }>(
    db,
    `select id from (select d.* from grounded.documents d where ${sql}) listed
     where ${part.where}
     order by ${part.orderBy} offset $1 limit $2`,
    [
      cursor === undefined ? (skip ?? 0) : 0,
      take === undefined ? null : Math.abs(take),
      ...values,
      ...part.values,
    ],
  );
  const ids = rows.map(({ id }) => id);
  return part.isReversed ? ids.reverse() : ids;
}

export async function countMatching(
  { db }: Pick<Context, 'db'>,
  listed: ListedDocuments,
): Promise<number> {
  const { sql, values } = conditionOf(listed, 0);
  const text = `select count(*)::int as count from grounded.documents d where ${sql}`;
  const [row] = await runSql<{ count: number }>(db, text, values);
  return row?.count ?? 0;
}

/** Returns the SQL condition on `d`. Its first parameter is the project. */
function conditionOf(listed: ListedDocuments, preceding: number) {
  const { projectId, filter, search, status, externalId, tag, sourceId } = listed;
  const { mimeType, hasWarnings, language } = listed;
  const own: SqlValue[] = [
    projectId,
    search ? `%${escapeLike(search)}%` : null,
    ...[status ?? null, externalId ?? null, tag ?? null, sourceId ?? null],
    ...[mimeType ?? null, hasWarnings ?? null, language ?? null],
  ];
  const [project, name, state, external, label, source, format, warned, tongue] = own.map(
    (_, index) => `$${preceding + index + 1}`,
  );
  const { sql, values } = filterSql(filter, preceding + own.length);
  return {
    sql: `d.project_id = ${project}::uuid and d.deleted_at is null and (${name}::text is null or d.name ilike ${name}::text)
      and (${state}::text is null or d.status::text = ${state}::text)
      and (${external}::text is null or d.external_id = ${external}::text)
      and (${label}::text is null or ${label}::text = any (d.tags))
      and (${source}::text is null or d.source_id::text = lower(${source}::text))
      and (${format}::text is null or d.mime_type = ${format}::text)
      and (${tongue}::text is null or d.language = ${tongue}::text)
      and (${warned}::boolean is null or (d.warnings <> '[]') = ${warned}::boolean) and ${sql}`,
    values: [...own, ...values],
  };
}
