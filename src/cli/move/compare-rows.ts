import type pg from 'pg';
import { whereSql } from './copy-rows.ts';
import type { CopiedTable } from './tables.ts';

export interface ComparedTable {
  readonly table: string;
  /** Number of rows in the source. */
  readonly rows: number;
  readonly equal: boolean;
}

/** Compares number and content of the rows. Each database computes a hash of its rows, in any order. */
export async function compareRows(
  source: pg.Client,
  target: pg.Client,
  table: CopiedTable,
): Promise<ComparedTable> {
  const [left, right] = await Promise.all([hashRows(source, table), hashRows(target, table)]);
  const equal = left.rows === right.rows && left.hash === right.hash;
  return { table: table.label, rows: left.rows, equal };
}

async function hashRows(client: pg.Client, table: CopiedTable) {
  const columns = table.columns.map(({ name }) => name).join(', ');
  const { rows } = await client.query<{ rows: number; hash: string }>(
    `select count(*)::float8 as rows,
       coalesce(sum(hashtextextended(row(${columns})::text collate "C", 0)), 0)::text as hash
     from ${table.name} ${whereSql(table)}`,
  );
  return rows[0] ?? { rows: 0, hash: '' };
}
