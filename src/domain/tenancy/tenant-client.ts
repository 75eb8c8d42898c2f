import pg from 'pg';
import { noTenant, type Tenant } from './tenant.ts';

/** The role that row level security binds. It owns nothing. */
export const serviceRole = 'grounded_service';

/**
 * A connection on which each transaction acts for one tenant, as the service's role. A statement outside of a
 * transaction goes behind the setting in one round trip: Postgres takes what comes before one Sync for one transaction.
 * Nothing outlives it, so any pooler may stand between. Of such statements a text may have but one.
 */
export class TenantClient extends pg.Client {
  /** For whom it was lent; a statement may name another. */
  tenant: Tenant = noTenant;
  /** Whether the next transaction may be on another connection, which knows no statement that has a name. */
  isPooled = false;

  // biome-ignore lint/suspicious/noExplicitAny: pg's own overloads, of which this takes all
  override query(config: any, values?: any, callback?: any): any {
    if (typeof config?.submit === 'function') return super.query(config, values, callback);
    const query = new TenantQuery(config, values, callback);
    query.client = this;
    query.tenant = config?.tenant ?? this.tenant;
    query.query_timeout = config?.query_timeout;
    if (query.callback !== undefined) return super.query(query);
    return new Promise((resolve, reject) => {
      query.callback = (error, result) => (error ? reject(error) : resolve(result));
      super.query(query);
    }).catch((error: Error) => {
      Error.captureStackTrace(error); // the one that there is leads to the socket
      throw error;
    });
  }
}

/** What pg's own query does and its types do not say; the version is pinned. */
interface PreparedQuery {
  submit(connection: pg.Connection): void;
  text: string;
  name?: string;
  types?: unknown;
  callback?: (error: Error | undefined, result: unknown) => void;
  query_timeout?: number;
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

const actFor = (tenant: string) =>
  `select set_config('role', '${serviceRole}', true), set_config('grounded.tenant', ${tenant}, true)`;
const actForName = 'act-for-tenant';

/** Where the setting is a prepared statement already. */
const prepared = new WeakSet<WireConnection>();

class TenantQuery extends PreparedQuery {
  tenant: Tenant = noTenant;
  client!: TenantClient;
  #state: 'plain' | 'setting' | 'set' = 'plain';

  override submit(connection: pg.Connection): void {
    const status = this.client.getTransactionStatus();
    if (status !== 'T' && status !== 'E') {
      if (beginsTransaction.test(this.text)) {
        this.text = `${this.text}; ${actFor(pg.escapeLiteral(this.tenant))}`;
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
   * What is parsed as one role and run as another is parsed twice by Postgres, so the role comes first; but for the
   * first time, when the setting is parsed too: pg takes what is parsed first for the statement of this query's name.
   */
  override prepare(connection: WireConnection): void {
    if (this.#state === 'plain') return super.prepare(connection);
    if (this.client.isPooled) {
      connection.parse({ text: actFor('$1'), name: '' });
      connection.bind({ statement: '', values: [this.tenant] });
      connection.execute({});
      this.#parse(connection);
      return super.prepare(connection);
    }
    const isFirst = !prepared.has(connection);
    if (isFirst) {
      this.#parse(connection);
      connection.parse({ text: actFor('$1'), name: actForName });
    }
    connection.bind({ statement: actForName, values: [this.tenant] });
    connection.execute({});
    if (!isFirst) this.#parse(connection);
    super.prepare(connection);
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

  override handleDataRow(message: unknown): void {
    if (this.#state !== 'setting') super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: WireConnection): void {
    if (this.#state !== 'setting') return super.handleCommandComplete(message, connection);
    this.#state = 'set';
    prepared.add(connection);
  }
}

const beginsTransaction = /^\s*(begin|start\s+transaction)\b/i;
