import type pg from 'pg';
import type { Metrics } from '../metrics.ts';
import type { SqlClient } from '../postgres/run-sql.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { isReplicaBehind } from '../tenancy/tenant-client.ts';
import { bindPoolToTenant } from '../tenancy/tenant-pool.ts';
import type { Replica } from './replica.ts';
import type { ReplicaSet } from './replica-set.ts';
import { furthest, type WalPosition } from './wal-position.ts';

export interface ReplicaReadSettings {
  /** Connection pool of the primary, for all tenants. */
  readonly primary: pg.Pool;
  readonly replicas: ReplicaSet;
  /** Timeout of a statement in milliseconds, or null for none. */
  readonly statementTimeoutMs: number | null;
  readonly metrics: Metrics;
}

/**
 * Returns a client for the reads of one tenant that begin now. A replica answers a statement if the replica contains
 * everything that was committed before the first statement. Otherwise the primary answers. After the primary has
 * answered once, it answers all later statements, because a replica might have older data. Transactions run on the
 * primary.
 */
export function createReplicaReads(settings: ReplicaReadSettings, tenant: Tenant): pg.Pool {
  const { replicas, metrics } = settings;
  if (!replicas.hasUsable()) {
    metrics.recordReplicaRead('UNAVAILABLE');
    return bindPoolToTenant(settings.primary, () => tenant);
  }
  let position: Promise<WalPosition> | undefined;
  return createView(settings, tenant, () => {
    position ??= replicas.position();
    // No error is reported here. If the primary does not respond, its pool reports that.
    position.catch(() => {});
    return position;
  });
}

/** Whether the pool was returned by `createReplicaReads` and may read from a replica. */
export function readsFromReplica(pool: pg.Pool): boolean {
  return views.has(pool);
}

/** Stores for each view the values that are needed to combine it with other views. */
const views = new WeakMap<SqlClient, View>();

interface View {
  readonly settings: ReplicaReadSettings;
  readonly tenant: Tenant;
  position(): Promise<WalPosition>;
}

function createView(
  settings: ReplicaReadSettings,
  tenant: Tenant,
  position: View['position'],
): pg.Pool {
  const primary = bindPoolToTenant(settings.primary, () => tenant);
  let replica: Replica | null | undefined;
  const query = async (statement: string | pg.QueryConfig, values?: unknown[]) => {
    const config = typeof statement === 'string' ? { text: statement } : statement;
    const all = values === undefined ? config : { ...config, values };
    if (replica === null) return primary.query(all);
    const start = await position().catch(() => null);
    if (replica === undefined) replica = start && settings.replicas.choose(start.timeline);
    if (replica === null || start === null) {
      settings.metrics.recordReplicaRead('UNAVAILABLE');
      return primary.query(all);
    }
    const sentAt = performance.now();
    try {
      const result = await replica.query({ ...all, tenant, position: start.lsn });
      settings.metrics.recordReplicaRead('SERVED');
      return result;
    } catch (error) {
      replica = null;
      settings.metrics.recordReplicaRead(isReplicaBehind(error) ? 'BEHIND' : 'FAILED');
      if (isTimedOut(error, performance.now() - sentAt, settings)) throw error;
      return primary.query(all);
    }
  };
  const pool = Object.assign(Object.create(primary), { query });
  views.set(pool, { settings, tenant, position });
  return pool;
}

/**
 * Whether the statement exceeded the statement timeout on the replica. It is then not repeated, because the primary
 * would take too long as well.
 */
function isTimedOut(
  error: unknown,
  tookMs: number,
  { statementTimeoutMs }: ReplicaReadSettings,
): boolean {
  const code = error instanceof Error && Reflect.get(error, 'code');
  return code === '57014' && statementTimeoutMs !== null && tookMs >= statementTimeoutMs;
}

interface CombinedRead {
  readonly client: SqlClient;
  /** A position that the replica must also have reached. Null if there is none. */
  readonly walPosition: WalPosition | null;
}

/**
 * Returns the client for one statement that replaces several reads of the same tenant. If a replica answers, it
 * contains everything that each of the reads requires.
 */
export async function combineReads(reads: readonly CombinedRead[]): Promise<SqlClient> {
  const known = reads.map(({ client }) => views.get(client));
  const primary = reads[known.indexOf(undefined)]?.client;
  if (primary !== undefined) return primary;
  const [view] = known;
  if (view === undefined) throw new Error('There is nothing to read');
  const { settings, tenant } = view;
  try {
    const begins = await Promise.all(known.flatMap((each) => (each ? [each.position()] : [])));
    const contents = reads.flatMap(({ walPosition }) => (walPosition ? [walPosition] : []));
    const position = furthest([...begins, ...contents]);
    if (position !== null) return createView(settings, tenant, async () => position);
  } catch {
    // The primary does not respond. The pool of the primary reports that.
  }
  return bindPoolToTenant(settings.primary, () => tenant);
}
