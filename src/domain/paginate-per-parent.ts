import { createDataLoader, type DataLoader } from '../platform/data-loader.ts';
import { DomainError } from '../platform/errors.ts';
import { runSql } from '../platform/postgres/run-sql.ts';
import type { Context } from './context.ts';

interface NestedListOptions {
  readonly table: string;
  /** Name of the column with the id of the parent row. */
  readonly parentColumn: string;
  /** Name of the column with the id of the project or organization. */
  readonly tenantColumn: string;
  /** Names of the sort columns, all in the same direction. Their combination must be unique within a list. */
  readonly orderColumns: readonly string[];
  readonly direction: 'asc' | 'desc';
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
export interface NestedPageArgs {
  readonly cursor?: { readonly id?: string };
  readonly take?: number;
}

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
    orderColumns: order,
    direction,
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
  const isForwards = take > 0;
  const isAscending = (direction === 'asc') === isForwards;
  const columns = order.join(', ');
  const sorting = order.map((column) => `${column} ${isAscending ? 'asc' : 'desc'}`).join(', ');
  const rows = await runSql<{ place: number; id: string }>(
    db,
    `select parent.place::int as place, child.id
     from unnest($1::uuid[], $2::uuid[]) with ordinality as parent (id, tenant_id, place)
     cross join lateral (
       select id, row_number() over (order by ${sorting}) as number
       from ${table}
       where ${parent} = parent.id and ${tenant} = parent.tenant_id and ${condition}
         and ($3::uuid is null or (${columns}) ${isAscending ? '>' : '<'} (
           select ${columns} from ${table} where id = $3::uuid and ${parent} = parent.id))
       order by ${sorting} limit $4::int
     ) child
     order by child.number ${isForwards ? 'asc' : 'desc'}`,
    [
      parents.map(({ id }) => id),
      parents.map(({ tenantId }) => tenantId),
      cursor?.id ?? null,
      Math.abs(take),
    ],
  );
  const ids: string[][] = parents.map(() => []);
  for (const { place, id } of rows) ids[place - 1]?.push(id);
  return ids;
}

/** Default page size of a connection, plus one row that shows if there is a next page. */
const defaultTake = 21;
