import type pg from 'pg';
import { noTenant, type Tenant } from './tenant.ts';
import type { TenantClient } from './tenant-client.ts';

/**
 * The same connections, every statement and transaction acting for the tenant of the moment. One is made for each
 * request and kept by each open stream, so it holds nothing but that.
 */
export function bindPool(pool: pg.Pool, tenant: () => Tenant): pg.Pool {
  const known = bindings.get(pool) ?? createBinding(pool);
  bindings.set(pool, known);
  return Object.assign(Object.create(known), { tenant });
}

/** What the bound pools of a pool have in common. */
const bindings = new WeakMap<pg.Pool, object>();

interface Bound {
  tenant(): Tenant;
}

function createBinding(pool: pg.Pool): object {
  return Object.assign(Object.create(pool), {
    query(this: Bound, statement: string | pg.QueryConfig, values?: unknown[]) {
      const config = typeof statement === 'string' ? { text: statement } : statement;
      const tenant = this.tenant();
      return pool.query({ ...config, ...(values && { values }), tenant } as pg.QueryConfig);
    },
    async connect(this: Bound) {
      const borrower = this.tenant();
      const client = (await pool.connect()) as pg.PoolClient & TenantClient;
      const release = client.release;
      client.tenant = borrower;
      client.release = (error) => {
        client.tenant = noTenant;
        release(error);
      };
      return client;
    },
  });
}
