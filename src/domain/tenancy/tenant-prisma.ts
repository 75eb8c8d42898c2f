import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';
import { noTenant, type Tenant } from './tenant.ts';
import { bindPool } from './tenant-pool.ts';

export interface TenantPrisma {
  bind(tenant: Tenant): PrismaClient;
  stop(): Promise<void>;
}

/**
 * One Prisma client for all tenants: an own one for each would take milliseconds and megabytes. Which tenant an
 * operation is for travels beside it to the pool. Prisma merges `findUnique` of one moment, whoever asks, into one
 * statement, and runs that for the first: outside of transactions, which are one tenant's, it is `findFirst` here.
 */
export function createTenantPrisma(pool: Pool): TenantPrisma {
  const current = new AsyncLocalStorage<Tenant>();
  const ownPool = bindPool(pool, () => current.getStore() ?? noTenant);
  const prisma = new PrismaClient({ adapter: new PrismaPg(ownPool, { schema: 'grounded' }) });
  return {
    bind: (tenant) => bindPrisma(prisma, (run) => current.run(tenant, run)),
    stop: () => prisma.$disconnect(),
  };
}

type Run = <T>(work: () => Promise<T>) => Promise<T>;
type Operation = (...args: unknown[]) => Promise<unknown>;

function bindPrisma(prisma: PrismaClient, run: Run): PrismaClient {
  return bindMembers(prisma, (name, value) => {
    if (typeof value === 'function') return bindOperation(prisma, value as Operation, run);
    return isModel(name, value) ? bindModel(value, run) : value;
  });
}

function bindModel(model: object, run: Run): object {
  return bindMembers(model, (name, value) => {
    if (typeof value !== 'function') return value;
    const first = findFirstFor[name];
    if (first === undefined) return bindOperation(model, value as Operation, run);
    const find = bindOperation(model, Reflect.get(model, first) as Operation, run);
    return (args: UniqueArgs) => find({ ...args, where: plainWhere(args.where) });
  });
}

/** What Prisma makes begins when it is awaited, which has to be within `run`. */
function bindOperation(target: object, operation: Operation, run: Run): Operation {
  return (...args) => run(async () => await operation.apply(target, args));
}

/** The same object with other members, made when they are asked for: kept, they would cost each open stream 4 kB. */
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

function isModel(name: string, value: unknown): value is object {
  return /^[a-z]/.test(name) && typeof value === 'object' && value !== null;
}

interface UniqueArgs {
  readonly where: Readonly<Record<string, unknown>>;
}

const findFirstFor: Readonly<Record<string, string>> = {
  findUnique: 'findFirst',
  findUniqueOrThrow: 'findFirstOrThrow',
};

/** `{ a_b: { a, b } }`, which names a unique constraint, as `{ a, b }`. */
function plainWhere(where: UniqueArgs['where']): Record<string, unknown> {
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
