import type pg from 'pg';
import { openPool } from '../../../src/platform/postgres/database-pool.ts';
import type { Replica, ReplicaStatement } from '../../../src/platform/replicas/replica.ts';
import { createReplicaReads } from '../../../src/platform/replicas/replica-reads.ts';
import type { ReplicaSet } from '../../../src/platform/replicas/replica-set.ts';
import { systemTenant } from '../../../src/platform/tenancy/tenant.ts';
import { TenantClient } from '../../../src/platform/tenancy/tenant-client.ts';
import type { Database } from '../../../src/platform/tenancy/tenant-database.ts';
import { bindPoolToTenant } from '../../../src/platform/tenancy/tenant-pool.ts';
import { createTenantPrisma } from '../../../src/platform/tenancy/tenant-prisma.ts';
import { silentMetrics } from '../silent-metrics.ts';
import type { TestDatabase } from './database.ts';
import { databaseAccessFor } from './database-access.ts';

/** A database whose replica is a read-only view of it: Postgres refuses writes there, as on a replica. */
export interface ReadOnlyReplica {
  readonly database: Database;
  /** Statements that the replica has answered. */
  readonly served: readonly string[];
  /** Statements that the replica has refused, because they write. */
  readonly refused: readonly string[];
  stop(): Promise<void>;
}

/** Adds a replica to `database` for tests on any engine. Each of its statements runs in a read-only transaction. */
export function withReadOnlyReplica(database: Database, { url }: TestDatabase): ReadOnlyReplica {
  const pool = openPool(databaseAccessFor({ url }), {
    ...{ name: 'read-only replica', size: 4, Client: TenantClient },
  });
  pool.on('error', () => {});
  const prisma = createTenantPrisma(pool);
  const served: string[] = [];
  const refused: string[] = [];
  const replica: Replica = {
    isUsable: () => true,
    async query(statement) {
      const name = statement.name ?? statement.text;
      try {
        const result = await runReadOnly(pool, statement);
        served.push(name);
        return result;
      } catch (error) {
        if (Reflect.get(Object(error), 'code') === readOnlyTransaction) refused.push(name);
        throw error;
      }
    },
    stop: async () => {},
  };
  const position = async () => ({ timeline: '00000001', lsn: '0/0' });
  const replicas: ReplicaSet = {
    ...{ choose: () => replica, hasUsable: () => true, position, stop: async () => {} },
  };
  const settings = {
    ...{ primary: pool, replicas, statementTimeoutMs: null, metrics: silentMetrics },
  };
  return {
    database: {
      ...database,
      replicas: {
        position,
        readsFor(tenant) {
          const reads = createReplicaReads(settings, tenant);
          return { pool: reads, prisma: prisma.bind(tenant, reads) };
        },
      },
    },
    served,
    refused,
    async stop() {
      await prisma.stop();
      await pool.end();
    },
  };
}

/** SQLSTATE read_only_sql_transaction. */
const readOnlyTransaction = '25006';

async function runReadOnly(
  pool: pg.Pool,
  { tenant, position: _, ...statement }: ReplicaStatement,
): Promise<pg.QueryResult> {
  const client = await bindPoolToTenant(pool, () => tenant ?? systemTenant).connect();
  try {
    await client.query('begin read only');
    return await client.query(statement);
  } finally {
    await client.query('rollback');
    client.release();
  }
}
