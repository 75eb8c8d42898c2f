import { PgBoss } from 'pg-boss';
import { serviceRole } from '../tenancy/tenant-client.ts';

/**
 * Creates or migrates the tables of the job queue (pg-boss) as their owner. Grants access to the service role, which
 * enqueues jobs in its own transactions. Safe to run concurrently and repeatedly.
 */
export async function installQueue(connectionString: string, schema: string): Promise<void> {
  const boss = new PgBoss({
    connectionString,
    schema,
    max: 1,
    connectionTimeoutMillis: connectTimeoutMs,
    supervise: false,
    schedule: false,
    useListenNotify: false,
  });
  boss.on('error', () => {}); // the pending call also rejects
  await boss.start();
  try {
    await boss.getDb().executeSql(grantPrivilegesSql(schema), []);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Maximum time to connect. Long, because storing a large document blocks the embedded database for several seconds. */
const connectTimeoutMs = 60_000;

/** Grants under an advisory lock, because concurrent identical GRANTs fail with "tuple concurrently updated". */
function grantPrivilegesSql(schema: string): string {
  return `
    do $$ begin
      if (select bool_and(has_table_privilege('${serviceRole}', oid, 'delete'))
          from pg_class where relnamespace = '${schema}'::regnamespace and relkind in ('r', 'p'))
        and has_schema_privilege('${serviceRole}', '${schema}', 'usage') then return;
      end if;
      perform pg_advisory_xact_lock(${advisoryLockKey});
      grant usage on schema ${schema} to ${serviceRole};
      grant select, insert, update, delete on all tables in schema ${schema} to ${serviceRole};
      grant execute on all functions in schema ${schema} to ${serviceRole};
      alter default privileges in schema ${schema}
        grant select, insert, update, delete on tables to ${serviceRole};
      alter default privileges in schema ${schema} grant execute on functions to ${serviceRole};
    end $$`;
}

/** Arbitrary key, the same in every process: 'grant' as a base 36 number. */
const advisoryLockKey = 28_024_517;
