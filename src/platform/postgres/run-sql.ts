import type pg from 'pg';
import type { Prisma } from './generated/prisma/client.ts';

/** A client that can run a statement: a pool, one connection, or a Prisma client inside or outside a transaction. */
export type SqlClient = pg.Pool | pg.ClientBase | Prisma.TransactionClient;

/** SQL text with the parameters `$1` … `$n`. Pools and connections parse a named statement only once per connection. */
export type SqlStatement = string | NamedStatement;

interface NamedStatement {
  readonly name: string;
  readonly text: string;
  /**
   * If true, Postgres plans the statement once per connection and uses this plan for all values. By default, Postgres
   * plans each execution again if it expects a cheaper plan for the values. This happens for short arrays (it assumes
   * ten elements) and partitioned tables. Set `keepsPlan` only if one plan is best for all values. It has no effect in
   * a transaction or through a pooler.
   */
  readonly keepsPlan?: boolean;
}

/**
 * Runs one statement and returns its rows. `Row` must describe rows that both drivers, pg and Prisma, return. The
 * drivers differ for `bigint` and `numeric` (strings in pg, BigInt and Decimal in Prisma), so cast these to `float8` or
 * `integer`.
 */
export async function runSql<Row extends object>(
  client: SqlClient,
  statement: SqlStatement,
  values: readonly SqlValue[] = [],
): Promise<Row[]> {
  const query = typeof statement === 'string' ? { text: statement } : statement;
  if ('$queryRawUnsafe' in client) return client.$queryRawUnsafe<Row[]>(query.text, ...values);
  const { rows } = await client.query<Row & pg.QueryResultRow>({ ...query, values: [...values] });
  return rows;
}

/** Parameter values that pg and Prisma send in the same way. An array becomes a Postgres array. */
export type SqlValue =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly (string | null)[]
  | readonly (number | null)[]
  | readonly boolean[];
