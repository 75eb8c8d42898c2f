import type { Context } from './context.ts';
import { DomainError } from './errors.ts';
import { createBatches, type InBatch } from './in-batch.ts';
import { transactionSql } from './run-sql.ts';

interface ListOptions {
  readonly table: string;
  /** The column that names the row whose list it is. */
  readonly parent: string;
  /** The column that names the project or organization. */
  readonly tenant: string;
  /** The columns of its order, all in one direction, unique together within a list. */
  readonly order: readonly string[];
  readonly direction: 'asc' | 'desc';
}

export interface NestedList<Row> extends ListOptions {
  readonly inBatch: InBatch<Parent, Row[]>;
}

/** Describes a list that each row of another kind has. */
export function nestedList<Row>(options: ListOptions): NestedList<Row> {
  return { ...options, inBatch: createBatches() };
}

/** Whose list: a row that the caller has been given. */
interface Parent {
  readonly id: string;
  readonly tenantId: string;
}

/** Which part: `take` rows behind `cursor` or, where it is negative, before it. */
export interface NestedPart {
  readonly cursor?: { readonly id?: string };
  readonly take?: number;
}

/** Rows of one nested list in one operation, that of all parents together. */
const maxRows = 20_000;

/**
 * A part of the list of one parent, with `find` reading rows by id, in any order. What is asked for many parents at
 * once costs two statements: Prisma alone would read every list to its end and cut it then. Throws
 * `VALIDATION_FAILED` when all parents together ask for more than 20,000 rows.
 */
export function readNestedList<Row extends { readonly id: string }>(
  context: Context,
  list: NestedList<Row>,
  parent: Parent,
  part: NestedPart,
  find: (ids: string[], tenantIds: string[]) => Promise<Row[]>,
): Promise<Row[]> {
  return list.inBatch(context, JSON.stringify(part), parent, async (parents) => {
    const ids = await idsOf(context, list, parents, part);
    const tenantIds = new Set(parents.map(({ tenantId }) => tenantId));
    const rows = await find([...new Set(ids.flat())], [...tenantIds]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((listed) =>
      listed.flatMap((id) => {
        const row = byId.get(id);
        return row === undefined ? [] : [row];
      }),
    );
  });
}

/** The ids of each parent's part, in order. */
async function idsOf(
  { db }: Context,
  { table, parent, tenant, order, direction }: ListOptions,
  parents: readonly Parent[],
  { cursor, take = defaultTake }: NestedPart,
): Promise<string[][]> {
  if (parents.length * Math.abs(take) > maxRows) {
    throw new DomainError(
      'VALIDATION_FAILED',
      `A nested list may have ${maxRows} entries in all: ask for fewer with first or last`,
    );
  }
  const isForwards = take > 0;
  const isAscending = (direction === 'asc') === isForwards;
  const columns = order.join(', ');
  const sorting = order.map((column) => `${column} ${isAscending ? 'asc' : 'desc'}`).join(', ');
  const rows = await transactionSql(db).query(
    `select parent.place::int as place, child.id
     from unnest($1::uuid[], $2::uuid[]) with ordinality as parent (id, tenant_id, place)
     cross join lateral (
       select id, row_number() over (order by ${sorting}) as number
       from ${table}
       where ${parent} = parent.id and ${tenant} = parent.tenant_id
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
  for (const row of rows) ids[Number(row.place) - 1]?.push(String(row.id));
  return ids;
}

/** What a connection gives when nothing is asked for, and one to know whether there is more. */
const defaultTake = 21;
