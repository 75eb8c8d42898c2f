import { createDataLoader, type DataLoader } from '../platform/data-loader.ts';
import { DomainError } from '../platform/errors.ts';
import { runSql } from '../platform/postgres/run-sql.ts';
import type { Context } from './context.ts';
import { type ListPart, partSql, type SortKeys } from './list-place.ts';

interface NestedListOptions {
  readonly table: string;
  /** Name of the column with the id of the parent row. */
  readonly parentColumn: string;
  /** Name of the column with the id of the project or organization. */
  readonly tenantColumn: string;
  readonly orderBy: SortKeys;
  /** SQL condition that the rows of the list must satisfy. Default: all rows. */
  readonly condition?: string;
}

export interface NestedList<Row> extends NestedListOptions {
  readonly loader: DataLoader<Parent, Row[]>;
}

/** Defines a list that belongs to a parent row, such as the documents of a project. */
export function defineNestedList<Row>(options: NestedListOptions): NestedList<Row> {
  return { ...options, loader: createDataLoader() };
}

/** The parent row. The caller must already have been authorized to read it. */
interface Parent {
  readonly id: string;
  readonly tenantId: string;
}

/** Selects `take` rows after `cursor`. If `take` is negative, selects that many rows before `cursor`. */
export type NestedPageArgs = Pick<ListPart, 'cursor' | 'take'>;

/** Maximum number of rows of one nested list in one GraphQL operation, for all parents together. */
const maxNestedRows = 20_000;

/**
 * Returns a page of one parent's list. `findByIds` reads rows by id, in any order. Two SQL statements read the pages of
 * all parents in a GraphQL operation. Prisma's own nested queries would read every list completely and truncate it
 * afterwards.
 * @throws DomainError VALIDATION_FAILED when all parents together request more than 20,000 rows
 */
export function paginatePerParent<Row extends { readonly id: string }>(
  context: Context,
  list: NestedList<Row>,
  parent: Parent,
  page: NestedPageArgs,
  findByIds: (ids: string[], tenantIds: string[]) => Promise<Row[]>,
): Promise<Row[]> {
  return list.loader(context, JSON.stringify(page), parent, async (parents) => {
    const ids = await listIdsPerParent(context, list, parents, page);
    const tenantIds = new Set(parents.map(({ tenantId }) => tenantId));
    const rows = await findByIds([...new Set(ids.flat())], [...tenantIds]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((pageIds) =>
      pageIds.flatMap((id) => {
        const row = byId.get(id);
        return row === undefined ? [] : [row];
      }),
    );
  });
}

/** Returns the ids of each parent's page, in list order. */
async function listIdsPerParent(
  { db }: Context,
  {
    table,
    parentColumn: parent,
    tenantColumn: tenant,
    orderBy,
    condition = 'true',
  }: NestedListOptions,
  parents: readonly Parent[],
  { cursor, take = defaultTake }: NestedPageArgs,
): Promise<string[][]> {
  if (parents.length * Math.abs(take) > maxNestedRows) {
    throw new DomainError(
      'VALIDATION_FAILED',
      `A nested list may have at most ${maxNestedRows} items in all: request fewer with first or last`,
    );
  }
  const part = partSql({ cursor, take }, orderBy, 3);
  const rows = await runSql<{ place: number; id: string }>(
    db,
    `select parent.place::int as place, child.id
     from unnest($1::uuid[], $2::uuid[]) with ordinality as parent (id, tenant_id, place)
     cross join lateral (
       select id, row_number() over (order by ${part.orderBy}) as number
       from ${table}
       where ${parent} = parent.id and ${tenant} = parent.tenant_id and ${condition}
         and ${part.where}
       order by ${part.orderBy} limit $3::int
     ) child
     order by child.number ${part.isReversed ? 'desc' : 'asc'}`,
    [
      parents.map(({ id }) => id),
      parents.map(({ tenantId }) => tenantId),
      Math.abs(take),
      ...part.values,
    ],
  );
  const ids: string[][] = parents.map(() => []);
  for (const { place, id } of rows) ids[place - 1]?.push(id);
  return ids;
}

/** Default page size of a connection, plus one row that shows if there is a next page. */
const defaultTake = 21;
