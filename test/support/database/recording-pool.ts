import type { Pool, QueryResult } from 'pg';

export interface SentStatement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/**
 * Returns a view of a pool that records all statements outside transactions. `intercept` may delay the result of a
 * statement, or throw an error instead.
 */
export function recordingPool(
  pool: Pool,
  intercept: (statement: SentStatement, run: () => Promise<QueryResult>) => Promise<QueryResult> = (
    _statement,
    run,
  ) => run(),
): { readonly pool: Pool; readonly statements: SentStatement[] } {
  const statements: SentStatement[] = [];
  const recording: Pool = Object.assign(Object.create(pool), {
    query(statement: SentStatement) {
      statements.push(statement);
      return intercept(statement, () =>
        pool.query({ ...statement, values: [...(statement.values ?? [])] }),
      );
    },
  });
  return { pool: recording, statements };
}
