import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { DomainError } from '../errors.ts';
import { connectionOptions } from '../postgres/connection-options.ts';
import { type DatabaseSettings, openPool, ownerDatabaseUrl } from '../postgres/database-pool.ts';
import type { PrismaClient } from '../postgres/generated/prisma/client.ts';
import { primaryHostOf } from '../postgres/primary-host.ts';
import { runSql } from '../postgres/run-sql.ts';
import { WaitingPool } from '../postgres/waiting-pool.ts';
import { createReplicaReads } from '../replicas/replica-reads.ts';
import { openReplicaSet, type ReplicaSetSettings } from '../replicas/replica-set.ts';
import type { WalPosition } from '../replicas/wal-position.ts';
import type { Tenant } from './tenant.ts';
import { systemTenant } from './tenant.ts';
import { serviceRole, TenantClient } from './tenant-client.ts';
import { bindPoolToTenant } from './tenant-pool.ts';
import { createTenantPrisma, type TenantPrisma } from './tenant-prisma.ts';

/** Database access that is limited to the rows of one tenant. */
export interface TenantDatabase {
  readonly prisma: PrismaClient;
  readonly pool: Pool;
}

export interface Database {
  forTenant(tenant: Tenant): TenantDatabase;
  /** The read replicas. Null if there are none. */
  readonly replicas: Replicas | null;
  /**
   * Connections as the role that owns the tables. This role bypasses row level security, so use it only for indexes and
   * partitions.
   */
  readonly ownerPool: Pool;
  stop(): Promise<void>;
}

export interface Replicas {
  /** Returns database access for reads that begin now. See `createReplicaReads`. */
  readsFor(tenant: Tenant): TenantDatabase;
  /** See `ReplicaSet.position`. */
  position(): Promise<WalPosition>;
}

/** Two connections, so that one can build an index while the other can cancel the build. */
const ownerPoolSize = 2;

/**
 * Connects to the database. Every statement runs as the service role, no matter which role logs in.
 * @throws DomainError UNAVAILABLE when the login role may not switch to the service role, or when row level security
 * does not apply to the service role.
 */
export async function connectDatabase(
  access: DatabaseSettings,
  {
    size,
    log,
    replicas = null,
  }: {
    readonly size: number;
    readonly log: Logger;
    readonly replicas?: Pick<ReplicaSetSettings, 'replicas' | 'maxLagMs' | 'metrics'> | null;
  },
): Promise<Database> {
  const unfollow = primaryHostOf(access.databaseUrl)?.follow(log);
  const pool = openPool(access, { name: 'grounded-chat', size, Client: TenantClient });
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'));
  const owner = new WaitingPool({
    ...connectionOptions(ownerDatabaseUrl(access)),
    max: ownerPoolSize,
    connectionTimeoutMillis: access.connectTimeoutMs,
    application_name: 'grounded-chat owner',
  });
  owner.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'));
  const prisma = createTenantPrisma(pool);
  const opened = replicas && openReplicas({ ...replicas, access, pool, prisma, size, log });
  const database: Database = {
    replicas: opened,
    forTenant: (tenant) => ({
      prisma: prisma.bind(tenant),
      pool: bindPoolToTenant(pool, () => tenant),
    }),
    ownerPool: owner,
    async stop() {
      await opened?.stop();
      await prisma.stop();
      await Promise.all([pool.end(), owner.end()]);
      unfollow?.();
    },
  };
  try {
    await requireRowSecurity(database.forTenant(systemTenant).pool);
    return database;
  } catch (error) {
    await database.stop();
    throw error;
  }
}

function openReplicas({
  access,
  pool,
  prisma,
  ...settings
}: Omit<ReplicaSetSettings, 'primary'> & {
  readonly access: DatabaseSettings;
  readonly pool: Pool;
  readonly prisma: TenantPrisma;
}): Replicas & { stop(): Promise<void> } {
  const { metrics } = settings;
  const { statementTimeoutMs } = access;
  const replicas = openReplicaSet({ ...settings, primary: access });
  return {
    readsFor(tenant) {
      const reads = createReplicaReads(
        { primary: pool, replicas, statementTimeoutMs, metrics },
        tenant,
      );
      return { pool: reads, prisma: prisma.bind(tenant, reads) };
    },
    position: replicas.position,
    stop: replicas.stop,
  };
}

async function requireRowSecurity(pool: Pool): Promise<void> {
  let isBound: boolean | undefined;
  try {
    const [role] = await runSql<{ isBound: boolean }>(pool, checkRowSecurity);
    isBound = role?.isBound;
  } catch (cause) {
    if (!isRoleDenied(cause)) throw cause;
    throw new DomainError(
      'UNAVAILABLE',
      `The login role of DATABASE_URL may not act as ${serviceRole}. As an administrator run: ` +
        `grant ${serviceRole} to <that role>;`,
      { cause },
    );
  }
  if (isBound === true) return;
  throw new DomainError(
    'UNAVAILABLE',
    `Row level security does not apply to the role ${serviceRole}. Make sure that the role is not a superuser, does ` +
      'not have BYPASSRLS, and owns no table in the schema grounded.',
  );
}

/**
 * Checks that row level security applies to the service role. `row_security_active` considers superusers, BYPASSRLS and
 * table owners.
 */
const checkRowSecurity = `
  select bool_and(row_security_active(oid)) as "isBound" from pg_class
  where relnamespace = 'grounded'::regnamespace and relkind in ('r', 'p')`;

/**
 * Whether the SQLSTATE is insufficient_privilege or invalid_parameter_value. The second one means that the role does
 * not exist.
 */
function isRoleDenied(error: unknown): boolean {
  const code = error instanceof Error && Reflect.get(error, 'code');
  return code === '42501' || code === '22023';
}
