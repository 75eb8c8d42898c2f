import pg, { type Pool } from 'pg';
import type { Logger } from 'pino';
import { type DatabaseAccess, openPool, ownerUrl } from '../database-pool.ts';
import { DomainError } from '../errors.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { Tenant } from './tenant.ts';
import { systemTenant } from './tenant.ts';
import { serviceRole, TenantClient } from './tenant-client.ts';
import { bindPool } from './tenant-pool.ts';
import { createTenantPrisma } from './tenant-prisma.ts';

/** The database as one tenant sees it. */
export interface TenantDatabase {
  readonly prisma: PrismaClient;
  readonly pool: Pool;
}

export interface Database {
  forTenant(tenant: Tenant): TenantDatabase;
  /** For the role that owns the tables, which no policy binds: for work on indexes and partitions alone. */
  readonly owner: Pool;
  stop(): Promise<void>;
}

/** One that builds, one to break it off. */
const ownerPoolSize = 2;

/**
 * Connects as a role that row level security binds, whatever role logs in.
 * @throws DomainError UNAVAILABLE where the log-in may not act as that role, or the role itself would see everything.
 */
export async function connectDatabase(
  access: DatabaseAccess,
  { size, log }: { readonly size: number; readonly log: Logger },
): Promise<Database> {
  const pool = openPool(access, { name: 'grounded-chat', size, Client: TenantClient });
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'));
  const owner = new pg.Pool({
    connectionString: ownerUrl(access),
    max: ownerPoolSize,
    connectionTimeoutMillis: access.connectTimeoutMs,
    application_name: 'grounded-chat owner',
  });
  owner.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'));
  const prisma = createTenantPrisma(pool);
  const database: Database = {
    forTenant: (tenant) => ({ prisma: prisma.bind(tenant), pool: bindPool(pool, () => tenant) }),
    owner,
    async stop() {
      await prisma.stop();
      await Promise.all([pool.end(), owner.end()]);
    },
  };
  try {
    await requireBoundRole(database.forTenant(systemTenant).pool);
    return database;
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function requireBoundRole(pool: Pool): Promise<void> {
  let isBound: boolean | undefined;
  try {
    const { rows } = await pool.query<{ isBound: boolean }>(findBoundRole);
    isBound = rows[0]?.isBound;
  } catch (cause) {
    if (!isRefusal(cause)) throw cause;
    throw new DomainError(
      'UNAVAILABLE',
      `The log-in of DATABASE_URL may not act as ${serviceRole}. As an administrator run: ` +
        `grant ${serviceRole} to <that role>;`,
      { cause },
    );
  }
  if (isBound === true) return;
  throw new DomainError(
    'UNAVAILABLE',
    `Row level security does not bind the role ${serviceRole}. It must be no superuser, have no BYPASSRLS, and own ` +
      'no table of the schema grounded.',
  );
}

/** `row_security_active` knows of superusers, BYPASSRLS and owners. */
const findBoundRole = `
  select bool_and(row_security_active(oid)) as "isBound" from pg_class
  where relnamespace = 'grounded'::regnamespace and relkind in ('r', 'p')`;

/** insufficient_privilege, and a role that does not exist */
function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && Reflect.get(error, 'code');
  return code === '42501' || code === '22023';
}
