import type pg from 'pg';
import { noTenant, type Tenant } from './tenant.ts';
import type { TenantClient } from './tenant-client.ts';

/**
 * Returns a view of the pool. The view runs every statement and transaction for the tenant that `tenant()` returns.
 * Every request and every open stream has its own view. To save memory, a view stores only this function.
 */
export function bindPoolToTenant(pool: pg.Pool, tenant: () => Tenant): pg.Pool {
  const prototype = poolPrototypes.get(pool) ?? createPoolPrototype(pool);
  poolPrototypes.set(pool, prototype);
  return Object.assign(Object.create(prototype), { tenant });
}

/** Prototype per pool, which all views of that pool share. */
const poolPrototypes = new WeakMap<pg.Pool, object>();

interface TenantBound {
  tenant(): Tenant;
}

function createPoolPrototype(pool: pg.Pool): object {
  return Object.assign(Object.create(pool), {
    query(this: TenantBound, statement: string | pg.QueryConfig, values?: unknown[]) {
      const config = typeof statement === 'string' ? { text: statement } : statement;
      const tenant = this.tenant();
      return pool.query({ ...config, ...(values && { values }), tenant } as pg.QueryConfig);
    },
    async connect(this: TenantBound) {
      const tenant = this.tenant();
      const client = (await pool.connect()) as pg.PoolClient & TenantClient;
      const release = client.release;
      client.tenant = tenant;
      client.release = (error) => {
        client.tenant = noTenant;
        release(error);
      };
      return client;
    },
  });
}
