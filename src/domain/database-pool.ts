import pg from 'pg';
import { sendCancelRequest } from './cancel-statement.ts';

/** How the database is reached. */
export interface DatabaseAccess {
  /** May lead to a pooler that gives a connection away after each transaction. */
  readonly databaseUrl: string;
  /** Leads to a session of one's own, for LISTEN; null where `databaseUrl` does. */
  readonly directDatabaseUrl: string | null;
  /** The same for the role that owns the tables; null where that role logs in above. */
  readonly migrationDatabaseUrl: string | null;
  /** How long a statement may take, or null: any time. */
  readonly statementTimeoutMs: number | null;
  /** How long to wait for a connection. */
  readonly connectTimeoutMs: number;
}

/** A session of the role that owns the tables. */
export function ownerUrl(access: DatabaseAccess): string {
  return access.migrationDatabaseUrl ?? access.directDatabaseUrl ?? access.databaseUrl;
}

interface PoolSettings {
  readonly name: string;
  /** The most connections at once. */
  readonly size: number;
  /** What a connection is; pg's own when left out. */
  readonly Client?: typeof pg.Client;
}

/** Connections for single statements and transactions. No session state is kept, so that any pooler may be between. */
export function openPool(access: DatabaseAccess, settings: PoolSettings): pg.Pool {
  const { databaseUrl, directDatabaseUrl, statementTimeoutMs } = access;
  // A pooler's next connection does not know what was prepared on the last.
  const isPooled = directDatabaseUrl !== null && directDatabaseUrl !== databaseUrl;
  return new pg.Pool({
    connectionString: databaseUrl,
    application_name: settings.name,
    max: settings.size,
    connectionTimeoutMillis: access.connectTimeoutMs,
    Client: clientClass(settings.Client ?? pg.Client, { isPooled, statementTimeoutMs }),
  });
}

function clientClass(
  Client: typeof pg.Client,
  {
    isPooled,
    statementTimeoutMs,
  }: { readonly isPooled: boolean; readonly statementTimeoutMs: number | null },
): typeof pg.Client {
  return class extends Client {
    /** Read by clients that prepare statements of their own. */
    isPooled = isPooled;

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const begin =
        statementTimeoutMs === null ? () => {} : limitStatements(this, statementTimeoutMs);
      const query: (...args: unknown[]) => unknown = this.query.bind(this);
      // Set this way, because the many signatures of `query` cannot be said again.
      Reflect.set(this, 'query', (statement: unknown, ...rest: unknown[]) => {
        begin();
        return query(isPooled ? withoutName(statement) : statement, ...rest);
      });
    }
  };
}

function withoutName(statement: unknown): unknown {
  const isNamed = typeof statement === 'object' && statement !== null && 'name' in statement;
  return isNamed ? { ...statement, name: undefined } : statement;
}

/** How long a statement that is to be cancelled may take to end, before its connection is given up. */
const graceMs = 5_000;

/**
 * Ends statements that take longer: the server is asked to cancel, and a connection on which that does not help is
 * given up. The server's own `statement_timeout` would have to be set for a session, which poolers do not keep; most
 * refuse or ignore it when a connection is made. Gives a function to be called when a statement begins.
 */
function limitStatements(client: pg.Client, limitMs: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  const rest = () => clearTimeout(timer);
  const giveUp = () => {
    const { stream } = client.connection;
    stream.destroy(new Error('Connection terminated: it gave no answer in time'));
  };
  const cancel = () => {
    timer = setTimeout(giveUp, graceMs);
    sendCancelRequest(client, graceMs);
  };
  client.on('drain', rest);
  client.on('end', rest);
  return () => {
    clearTimeout(timer);
    timer = setTimeout(cancel, limitMs);
  };
}
