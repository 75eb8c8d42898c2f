import type { Pool, PoolClient } from 'pg';

export interface RecordedStatement {
  readonly text: string;
  /** Whether the statement runs inside an explicit transaction, or begins or ends one. */
  readonly isInTransaction: boolean;
}

/**
 * Returns the statements that connections of the pool send while `work` runs, with the BEGIN and COMMIT of explicit
 * transactions.
 */
export async function recordStatements(
  pool: Pool,
  work: () => Promise<unknown>,
): Promise<RecordedStatement[]> {
  const statements: RecordedStatement[] = [];
  const lent = new Map<PoolClient, () => void>();
  const lend = (client: PoolClient) => lent.set(client, recordClient(client, statements));
  const takeBack = (_error: unknown, client: PoolClient) => {
    lent.get(client)?.();
    lent.delete(client);
  };
  pool.on('acquire', lend);
  pool.on('release', takeBack);
  try {
    await work();
  } finally {
    pool.off('acquire', lend);
    pool.off('release', takeBack);
    for (const restore of lent.values()) restore();
  }
  return statements;
}

/** Adds each statement of a connection to `statements`, until the returned function is called. */
function recordClient(client: PoolClient, statements: RecordedStatement[]): () => void {
  const query: (...args: unknown[]) => unknown = client.query;
  let isInTransaction = false;
  Reflect.set(
    client,
    'query',
    (statement: string | { readonly text: string }, ...rest: unknown[]) => {
      const text = typeof statement === 'string' ? statement : statement.text;
      isInTransaction ||= /^\s*(begin|start\s+transaction)\b/i.test(text);
      statements.push({ text, isInTransaction });
      if (/^\s*(commit|rollback)\b(?!\s+to\b)/i.test(text)) isInTransaction = false;
      return query.call(client, statement, ...rest);
    },
  );
  return () => Reflect.set(client, 'query', query);
}
