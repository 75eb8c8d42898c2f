import type pg from 'pg';
import { connectionOptions } from './connection-options.ts';
import { sendCancelRequest } from './send-cancel-request.ts';
import { traceStatement } from './trace-statement.ts';
import { WaitingPool } from './waiting-pool.ts';

/** Connection settings of the database. */
export interface DatabaseSettings {
  /**
   * URL for queries. May point to a transaction pooler. This and the following URLs may name several hosts, of which the
   * one that accepts writes is used.
   */
  readonly databaseUrl: string;
  /** URL of a direct connection, which LISTEN needs. Null if `databaseUrl` already is a direct connection. */
  readonly directDatabaseUrl: string | null;
  /** Whether `databaseUrl` is the URL of a transaction pooler. */
  readonly usesTransactionPooler: boolean;
  /**
   * URL of a direct connection that logs in as the role that owns the tables. Null if the URLs above already use that
   * role.
   */
  readonly migrationDatabaseUrl: string | null;
  /** Timeout of a statement in milliseconds, or null for none. */
  readonly statementTimeoutMs: number | null;
  /** Maximum time to wait for a connection, in milliseconds. */
  readonly connectTimeoutMs: number;
}

/** Returns the URL that logs in as the role that owns the tables. */
export function ownerDatabaseUrl(access: DatabaseSettings): string {
  return access.migrationDatabaseUrl ?? access.directDatabaseUrl ?? access.databaseUrl;
}

/**
 * Returns the number of connections for the job queue. `size` is the number of connections in the pool for requests and
 * jobs.
 */
export function queuePoolSize(size: number): number {
  return Math.min(4, Math.ceil(size / 4));
}

interface PoolSettings {
  /** The `application_name` that the connections report to Postgres. */
  readonly name: string;
  /** Maximum number of connections. */
  readonly size: number;
  /** Client class, `pg.Client` by default. */
  readonly Client?: typeof pg.Client;
}

/**
 * Opens a pool for single statements and transactions. The pool does not rely on session state, so it works with any
 * pooler.
 */
export function openPool(access: DatabaseSettings, settings: PoolSettings): pg.Pool {
  const { databaseUrl, statementTimeoutMs } = access;
  // A pooler may run the next transaction on another server connection. That connection lacks the prepared statements
  // of this one.
  const isPooled = access.usesTransactionPooler;
  const { Client, connectionString } = connectionOptions(databaseUrl, settings.Client);
  return new WaitingPool({
    connectionString,
    application_name: settings.name,
    max: settings.size,
    connectionTimeoutMillis: access.connectTimeoutMs,
    Client: createClientClass(Client, { isPooled, statementTimeoutMs }),
  });
}

function createClientClass(
  Client: typeof pg.Client,
  {
    isPooled,
    statementTimeoutMs,
  }: { readonly isPooled: boolean; readonly statementTimeoutMs: number | null },
): typeof pg.Client {
  return class extends Client {
    /** Whether a pooler makes named prepared statements unsafe. `TenantClient` reads this field. */
    isPooled = isPooled;

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const startTimer =
        statementTimeoutMs === null ? () => {} : enforceStatementTimeout(this, statementTimeoutMs);
      const query: (...args: unknown[]) => unknown = this.query.bind(this);
      // Replaces the method `query` of this instance. An override in the class would have to repeat all overloads of
      // `query`.
      Reflect.set(this, 'query', (statement: unknown, ...rest: unknown[]) => {
        startTimer();
        const sent = isPooled ? withoutStatementName(statement) : statement;
        return traceStatement(sent, rest, query);
      });
    }
  };
}

function withoutStatementName(statement: unknown): unknown {
  const isNamed = typeof statement === 'object' && statement !== null && 'name' in statement;
  return isNamed ? { ...statement, name: undefined } : statement;
}

/** Time that a cancelled statement has to stop. After that, its connection is destroyed. */
const cancelTimeoutMs = 5_000;

/**
 * Cancels statements that run longer than `timeoutMs`. Destroys the connection if the cancel request has no effect.
 * Returns a function to call when a statement starts.
 *
 * Does not use Postgres' `statement_timeout`, because that is a session setting: poolers do not keep it, and most
 * poolers refuse or ignore it at login.
 */
function enforceStatementTimeout(client: pg.Client, timeoutMs: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  const clearTimer = () => clearTimeout(timer);
  const destroyConnection = () => {
    const { stream } = client.connection;
    stream.destroy(new Error('Connection terminated: statement timeout and no response to cancel'));
  };
  const cancel = () => {
    timer = setTimeout(destroyConnection, cancelTimeoutMs);
    sendCancelRequest(client, cancelTimeoutMs);
  };
  client.on('drain', clearTimer);
  client.on('end', clearTimer);
  return () => {
    clearTimeout(timer);
    timer = setTimeout(cancel, timeoutMs);
  };
}
