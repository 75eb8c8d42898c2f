import { PgBoss } from 'pg-boss';
import { serviceRole } from '../tenancy/tenant-client.ts';

/**
 * Makes pg-boss's tables, or brings them up to date, as the role that owns them, and lets the service's role use them:
 * orders are written in its transactions. Safe to run in several processes at once; does nothing where all is done.
 */
export async function installQueue(connectionString: string, schema: string): Promise<void> {
  const boss = new PgBoss({
    connectionString,
    schema,
    max: 1,
    connectionTimeoutMillis: patienceMs,
    supervise: false,
    schedule: false,
    useListenNotify: false,
  });
  boss.on('error', () => {}); // the call that waits fails too
  await boss.start();
  try {
    await boss.getDb().executeSql(grantUse(schema), []);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** A large document that is being stored holds the embedded database for seconds. */
const patienceMs = 60_000;

/** Changing a privilege twice at once is an error, even to the same. */
function grantUse(schema: string): string {
  return `
    do $$ begin
      if (select bool_and(has_table_privilege('${serviceRole}', oid, 'delete'))
          from pg_class where relnamespace = '${schema}'::regnamespace and relkind in ('r', 'p'))
        and has_schema_privilege('${serviceRole}', '${schema}', 'usage') then return;
      end if;
      perform pg_advisory_xact_lock(${lockKey});
      grant usage on schema ${schema} to ${serviceRole};
      grant select, insert, update, delete on all tables in schema ${schema} to ${serviceRole};
      grant execute on all functions in schema ${schema} to ${serviceRole};
      alter default privileges in schema ${schema}
        grant select, insert, update, delete on tables to ${serviceRole};
      alter default privileges in schema ${schema} grant execute on functions to ${serviceRole};
    end $$`;
}

/** Any number, the same in every process: 'grant' read in base 36. */
const lockKey = 28_024_517;
