import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PrismaClient } from '../postgres/generated/prisma/client.ts';
import { noTenant, type Tenant } from './tenant.ts';
import { bindPoolToTenant } from './tenant-pool.ts';

export interface TenantPrisma {
  /** Returns a client for one tenant. Pass `reads` if single statements must use another pool than the default. */
  bind(tenant: Tenant, reads?: Pool): PrismaClient;
  stop(): Promise<void>;
}

/**
 * Creates one Prisma client for all tenants, because a client per tenant would cost milliseconds and megabytes. Async
 * local storage passes the tenant of each operation to the pool. Trap: Prisma combines concurrent `findUnique` calls
 * into one statement, even if they are for different tenants. The statement would then run for the first tenant. So
 * outside transactions, `findFirst` replaces `findUnique`.
 */
export function createTenantPrisma(pool: Pool): TenantPrisma {
  const current = new AsyncLocalStorage<Scope>();
  const tenantPool = bindPoolToTenant(pool, () => current.getStore()?.tenant ?? noTenant);
  const query = (...args: Parameters<Pool['query']>) =>
    (current.getStore()?.reads ?? tenantPool).query(...args);
  const ownPool = Object.assign(Object.create(tenantPool), { query });
  const prisma = new PrismaClient({ adapter: new PrismaPg(ownPool, { schema: 'grounded' }) });
  let running = 0;
  const runAs = async <T>(scope: Scope, work: () => Promise<T>): Promise<T> => {
    running += 1;
    try {
      return await current.run(scope, work);
    } finally {
      running -= 1;
      // Disables the storage when it is not in use, because an enabled storage slows down every promise of the process,
      // such as those of running streams.
      if (running === 0) current.disable();
    }
  };
  return {
    bind: (tenant, reads) => bindPrisma(prisma, (run) => runAs({ tenant, reads }, run)),
    stop: () => prisma.$disconnect(),
  };
}

/** Tenant of an operation's statements, and the pool that runs them if it is not the default pool. */
interface Scope {
  readonly tenant: Tenant;
  readonly reads: Pool | undefined;
}

type RunAsTenant = <T>(work: () => Promise<T>) => Promise<T>;
type Operation = (...args: unknown[]) => Promise<unknown>;

function bindPrisma(prisma: PrismaClient, runAsTenant: RunAsTenant): PrismaClient {
  return bindMembers(prisma, (name, value) => {
    if (typeof value === 'function') return bindOperation(prisma, value as Operation, runAsTenant);
    return isModelDelegate(name, value) ? bindModel(value, runAsTenant) : value;
  });
}

function bindModel(model: object, run: RunAsTenant): object {
  return bindMembers(model, (name, value) => {
    if (typeof value !== 'function') return value;
    const first = findFirstFor[name];
    if (first === undefined) return bindOperation(model, value as Operation, run);
    const find = bindOperation(model, Reflect.get(model, first) as Operation, run);
    return (args: UniqueArgs) => find({ ...args, where: expandCompoundKeys(args.where) });
  });
}

/**
 * Returns the operation, bound to a tenant by `run`. The promise is awaited inside `run`, because Prisma starts a query
 * only when its promise is awaited.
 */
function bindOperation(target: object, operation: Operation, run: RunAsTenant): Operation {
  return (...args) => run(async () => await operation.apply(target, args));
}

/**
 * Wraps each member of an object when it is first accessed. If all members were wrapped in advance, each open stream
 * would need 4 kB.
 */
function bindMembers<T extends object>(
  target: T,
  member: (name: string, value: unknown) => unknown,
): T {
  return new Proxy(target, {
    get(_target, name) {
      const value: unknown = Reflect.get(target, name);
      return typeof name === 'string' ? member(name, value) : value;
    },
  });
}

function isModelDelegate(name: string, value: unknown): value is object {
  return /^[a-z]/.test(name) && typeof value === 'object' && value !== null;
}

interface UniqueArgs {
  readonly where: Readonly<Record<string, unknown>>;
}

const findFirstFor: Readonly<Record<string, string>> = {
  findUnique: 'findFirst',
  findUniqueOrThrow: 'findFirstOrThrow',
};

/** Replaces a compound key `{ a_b: { a, b } }` with `{ a, b }`. `findFirst` requires this form. */
function expandCompoundKeys(where: UniqueArgs['where']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(where).flatMap(([name, value]) => {
      const isKey =
        typeof value === 'object' &&
        value !== null &&
        name.includes('_') &&
        Object.keys(value).join('_') === name;
      return isKey ? Object.entries(value) : [[name, value]];
    }),
  );
}
