import type { Pool } from 'pg';
import type { Prisma } from './generated/prisma/client.ts';
import type { Sql } from './sql.ts';

/** Statements outside any transaction, by the shortest way to the database. */
export function poolSql(pool: Pool): Sql {
  return {
    async query(text, values) {
      const { rows } = await pool.query<Record<string, unknown>>(text, [...values]);
      return rows;
    },
  };
}

/** Statements inside the transaction of `db`. */
export function transactionSql(db: Prisma.TransactionClient): Sql {
  return {
    query: (text, values) => db.$queryRawUnsafe<Record<string, unknown>[]>(text, ...values),
  };
}
