import type pg from 'pg';
import { noTenant, type Tenant } from './tenant.ts';
import type { TenantClient } from './tenant-client.ts';

/** The same connections, every statement and transaction acting for the tenant of the moment. */
export function bindPool(pool: pg.Pool, tenant: () => Tenant): pg.Pool {
  const query = (statement: string | pg.QueryConfig, values?: unknown[]) => {
    const config = typeof statement === 'string' ? { text: statement } : statement;
    return pool.query({ ...config, ...(values && { values }), tenant: tenant() } as pg.QueryConfig);
  };
  const connect = async () => {
    const borrower = tenant();
    const client = (await pool.connect()) as pg.PoolClient & TenantClient;
    const release = client.release;
    client.tenant = borrower;
    client.release = (error) => {
      client.tenant = noTenant;
      release(error);
    };
    return client;
  };
  const own = new Map<string | symbol, unknown>([
    ['query', query],
    ['connect', connect],
  ]);
  return new Proxy(pool, {
    get(_target, name) {
      const value = own.get(name) ?? Reflect.get(pool, name, pool);
      return typeof value === 'function' && !own.has(name) ? value.bind(pool) : value;
    },
    set(_target, name, value) {
      own.set(name, value);
      return true;
    },
  });
}
