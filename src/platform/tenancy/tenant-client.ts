import pg from 'pg';
import { noTenant, type Tenant } from './tenant.ts';

/** Database role of all statements of the service. The role owns no tables, so row level security applies to it. */
export const serviceRole = 'grounded_service';

/**
 * pg client that runs each transaction as the service role and for one tenant. Outside a transaction, the client sends
 * a statement that sets the tenant, then the caller's statement, then one Sync. Postgres runs both statements in one
 * implicit transaction and one round trip. No session state remains, so any pooler works. Limit: the caller's text must
 * be a single SQL statement.
 */
export class TenantClient extends pg.Client {
  /**
   * Tenant of all statements while this connection is checked out. A query config with its own `tenant` overrides this
   * value.
   */
  tenant: Tenant = noTenant;
  /**
   * Whether the connection leads through a transaction pooler. The pooler may switch to another server connection,
   * which does not have the named statements.
   */
  isPooled = false;

  // biome-ignore lint/suspicious/noExplicitAny: accepts all overloads of pg's `query`
  override query(config: any, values?: any, callback?: any): any {
    if (typeof config?.submit === 'function') return super.query(config, values, callback);
    const query = new TenantQuery(config, values, callback);
    query.client = this;
    query.tenant = config?.tenant ?? this.tenant;
    query.keepsPlan = config?.keepsPlan === true;
    query.position = config?.position ?? null;
    query.query_timeout = config?.query_timeout;
    if (query.callback !== undefined) return super.query(query);
    return new Promise((resolve, reject) => {
      query.callback = (error, result) => (error ? reject(error) : resolve(result));
      super.query(query);
    }).catch((error: Error) => {
      Error.captureStackTrace(error); // the original stack starts at the socket
      throw error;
    });
  }
}

/** Members of pg.Query that its type definitions omit. They are internal to pg, so the version of pg is pinned. */
interface PreparedQuery {
  submit(connection: pg.Connection): void;
  text: string;
  name?: string;
  types?: unknown;
  callback?: (error: Error | undefined, result: unknown) => void;
  query_timeout?: number;
  /** The error that is reported when the server is ready again. Until then, rows are ignored. */
  _canceledDueToError: Error | false;
  requiresPreparation(): boolean;
  hasBeenParsed(connection: WireConnection): boolean;
  prepare(connection: WireConnection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: WireConnection): void;
}

interface WireConnection {
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: { text: string; name: string; types?: unknown }): void;
  bind(portal: { statement: string; values: unknown[] }): void;
  execute(portal: object): void;
}

const PreparedQuery = pg.Query as unknown as new (...args: unknown[]) => PreparedQuery;

const setTenantSql = (tenant: string) =>
  `select set_config('role', '${serviceRole}', true), set_config('grounded.tenant', ${tenant}, true)`;
const setTenantStatement = { name: 'act-for-tenant', text: setTenantSql('$1') };

/**
 * Sets the tenant. Until the implicit transaction ends, Postgres also uses the cached plan of a prepared statement,
 * even if it estimates that a plan for the current values is cheaper.
 */
const setTenantKeepPlanStatement = {
  name: 'act-for-tenant-keep-plan',
  text: `${setTenantSql('$1')}, set_config('plan_cache_mode', 'force_generic_plan', true)`,
};

const isBehind = 'pg_last_wal_replay_lsn() < $2::pg_lsn';
/**
 * Returns the statement for a replica. If the replica has not replayed the WAL up to $2, the statement first waits up
 * to 10 ms. It also returns whether the server is a standby that has reached $2. The caller's statement takes its
 * snapshot afterwards, so it sees everything that was committed before $2.
 */
const onReplica = ({ name, text }: typeof setTenantStatement) => ({
  name: `${name}-on-replica`,
  text: `${text},
    case when ${isBehind} then pg_sleep(0.002) end, case when ${isBehind} then pg_sleep(0.008) end,
    pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $2::pg_lsn
      and current_setting('transaction_isolation') = 'read committed'`,
});
const replicaStatement = onReplica(setTenantStatement);
const replicaKeepPlanStatement = onReplica(setTenantKeepPlanStatement);

class ReplicaBehindError extends Error {}

/** Whether the replica refused a statement because it has not replayed the WAL up to the given position. */
export function isReplicaBehind(error: unknown): boolean {
  return error instanceof ReplicaBehindError;
}

/** Names of the statements above that are already prepared, per connection. */
const preparedStatements = new WeakMap<WireConnection, Set<string>>();

class TenantQuery extends PreparedQuery {
  tenant: Tenant = noTenant;
  keepsPlan = false;
  client!: TenantClient;
  /** LSN up to which a replica must have replayed the WAL. Null if the statement runs on the primary. */
  position: string | null = null;
  #state: 'plain' | 'setting' | 'set' = 'plain';

  override submit(connection: pg.Connection): void {
    const status = this.client.getTransactionStatus();
    if (status !== 'T' && status !== 'E') {
      if (beginStatement.test(this.text)) {
        this.text = `${this.text}; ${setTenantSql(pg.escapeLiteral(this.tenant))}`;
      } else {
        this.#state = 'setting';
      }
    }
    return super.submit(connection);
  }

  override requiresPreparation(): boolean {
    return this.#state !== 'plain' || super.requiresPreparation();
  }

  /**
   * Sends the statement that sets the tenant first, and then parses the caller's statement, because Postgres analyzes a
   * statement again if the role changes after the parse. A new connection must also parse the tenant statement. In that
   * case the caller's statement is parsed first, because pg assigns the first parse to the name of the caller's
   * statement.
   */
  override prepare(connection: WireConnection): void {
    if (this.#state === 'plain') return super.prepare(connection);
    const { name, text } = this.#setTenantStatement;
    const values = this.position === null ? [this.tenant] : [this.tenant, this.position];
    if (this.client.isPooled) {
      connection.parse({ text, name: '' });
      connection.bind({ statement: '', values });
      connection.execute({});
      this.#parse(connection);
      return super.prepare(connection);
    }
    const isFirst = !preparedStatements.get(connection)?.has(name);
    if (isFirst) {
      this.#parse(connection);
      connection.parse({ text, name });
    }
    connection.bind({ statement: name, values });
    connection.execute({});
    if (!isFirst) this.#parse(connection);
    super.prepare(connection);
  }

  /** A statement without a name always gets a plan for its values, because Postgres does not keep its plan. */
  get #setTenantStatement() {
    const keepsPlan = this.keepsPlan && this.name;
    if (this.position !== null) return keepsPlan ? replicaKeepPlanStatement : replicaStatement;
    return keepsPlan ? setTenantKeepPlanStatement : setTenantStatement;
  }

  #parse(connection: WireConnection): void {
    if (super.hasBeenParsed(connection)) return;
    const { text, name, types } = this;
    connection.parse({ text, name: name ?? '', types });
    if (name) connection.submittedNamedStatements[name] = text;
  }

  override hasBeenParsed(connection: WireConnection): boolean {
    return this.#state !== 'plain' || super.hasBeenParsed(connection);
  }

  override handleDataRow(message: { readonly fields: readonly (string | null)[] }): void {
    if (this.#state !== 'setting') super.handleDataRow(message);
    else if (this.position !== null && message.fields.at(-1) !== 't') {
      this._canceledDueToError = new ReplicaBehindError('The replica is behind');
    }
  }

  override handleCommandComplete(message: unknown, connection: WireConnection): void {
    if (this.#state !== 'setting') return super.handleCommandComplete(message, connection);
    this.#state = 'set';
    if (this.client.isPooled) return;
    const prepared = preparedStatements.get(connection) ?? new Set();
    preparedStatements.set(connection, prepared.add(this.#setTenantStatement.name));
  }
}

const beginStatement = /^\s*(begin|start\s+transaction)\b/i;
