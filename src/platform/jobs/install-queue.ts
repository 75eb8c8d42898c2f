import { createHash } from 'node:crypto';
import type pg from 'pg';
import { getConstructionPlans, PgBoss } from 'pg-boss';
import { connectionOptions, createClient } from '../postgres/connection-options.ts';
import { serviceRole } from '../tenancy/tenant-client.ts';
import type { JobType } from './job.ts';

/** The schema of the queue's tables. */
export const queueSchema = 'grounded_jobs';

/**
 * Creates or migrates the tables, queues and schedules of the job queue (pg-boss), as the role that owns them. Grants
 * access to the service role, which enqueues jobs in its own transactions. Safe to run concurrently and repeatedly.
 * Runs only one statement if this version of the service has already installed everything.
 */
export async function installQueue(
  databaseUrl: string,
  schema: string,
  jobs: readonly JobType[],
): Promise<void> {
  const fingerprint = computeFingerprint(schema, jobs);
  const settings = { connectionTimeoutMillis: connectTimeoutMs };
  if (await isInstalled(createClient(databaseUrl, settings), { schema, fingerprint, jobs })) return;
  const boss = new PgBoss({
    ...connectionOptions(databaseUrl),
    ...settings,
    schema,
    max: 1,
    supervise: false,
    schedule: false,
    useListenNotify: false,
  });
  boss.on('error', () => {}); // ignored, because the pending call also rejects
  await boss.start();
  try {
    await createQueues(boss, jobs);
    await boss.getDb().executeSql(grantPrivilegesSql(schema), []);
    await boss.getDb().executeSql(`comment on schema ${schema} is '${fingerprint}'`, []);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/**
 * If a worker sends no heartbeat for this many seconds, another worker takes over its jobs. pg-boss allows no smaller
 * value.
 */
const heartbeatSeconds = 10;

/** Creates the queues. A dead letter queue must be created before the queue that uses it. */
async function createQueues(boss: PgBoss, jobs: readonly JobType[]): Promise<void> {
  const deadLetters = new Set(jobs.map(({ deadLetter }) => deadLetter?.name));
  const isDeadLetter = ({ name }: JobType) => deadLetters.has(name);
  const ordered = [...jobs.filter(isDeadLetter), ...jobs.filter((job) => !isDeadLetter(job))];
  for (const { name, queue, deadLetter } of ordered) {
    const { policy, ...own } = queue;
    const letters = deadLetter === undefined ? {} : { deadLetter: deadLetter.name };
    const settings = { ...own, ...letters, heartbeatSeconds, notify: true };
    await boss.createQueue(name, { ...settings, ...(policy !== undefined && { policy }) });
    // `createQueue` does not change an existing queue, for example a queue that an earlier version created without a
    // dead letter queue.
    await boss.updateQueue(name, settings);
  }
  for (const { name, schedule } of jobs) {
    // Without `{}`, the payload of the job would be null. Null does not match the type of the payload.
    if (schedule !== undefined) await boss.schedule(name, schedule, {});
  }
}

/** Returns the settings that `installQueue` installs for the jobs. */
export function queueSettings(jobs: readonly JobType[]): readonly object[] {
  return jobs.map(({ name, queue, deadLetter, schedule }) => {
    return { name, queue, deadLetter: deadLetter?.name, schedule };
  });
}

/**
 * Returns a hash of all settings and of the tables of this version of pg-boss. The hash is stored as the comment of the
 * schema.
 */
function computeFingerprint(schema: string, jobs: readonly JobType[]): string {
  const settings = queueSettings(jobs);
  const version = [getConstructionPlans(schema), settings, heartbeatSeconds, serviceRole];
  return createHash('sha256').update(JSON.stringify(version)).digest('hex');
}

/** Whether the schema has this fingerprint, all queues and schedules exist, and the service role has its privileges. */
async function isInstalled(
  client: pg.Client,
  installed: {
    readonly schema: string;
    readonly fingerprint: string;
    readonly jobs: readonly JobType[];
  },
): Promise<boolean> {
  const { schema, fingerprint, jobs } = installed;
  const names = jobs.map(({ name }) => name);
  const schedules = jobs.filter(({ schedule }) => schedule !== undefined);
  client.on('error', () => {}); // ignored, because the pending query also rejects
  await client.connect();
  try {
    const { rows } = await client.query<{ isInstalled: boolean | null }>(
      `select obj_description(to_regnamespace('${schema}'), 'pg_namespace') = $1
         and (select count(*) = $2 from ${schema}.queue where name = any($3))
         and (select count(*) = $4 from ${schema}.schedule where name = any($3))
         and ${hasPrivilegesSql(schema)} as "isInstalled"`,
      [fingerprint, names.length, names, schedules.length],
    );
    return rows[0]?.isInstalled === true;
  } catch (error) {
    if (isUndefined(error)) return false;
    throw error;
  } finally {
    await client.end();
  }
}

/** Whether the SQLSTATE is undefined_table or invalid_schema_name. */
function isUndefined(error: unknown): boolean {
  const code = error instanceof Error && Reflect.get(error, 'code');
  return code === '42P01' || code === '3F000';
}

/**
 * Maximum time to wait for a connection. Long, because storing a large document blocks the embedded database for
 * several seconds.
 */
const connectTimeoutMs = 60_000;

/**
 * Returns SQL that grants the privileges under an advisory lock. Without the lock, concurrent identical GRANTs fail
 * with "tuple concurrently updated".
 */
function grantPrivilegesSql(schema: string): string {
  return `
    do $$ begin
      if ${hasPrivilegesSql(schema)} then return;
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

function hasPrivilegesSql(schema: string): string {
  return `(select bool_and(has_table_privilege('${serviceRole}', oid, 'delete'))
      from pg_class where relnamespace = '${schema}'::regnamespace and relkind in ('r', 'p'))
    and has_schema_privilege('${serviceRole}', '${schema}', 'usage')`;
}

/** An arbitrary key that is the same in every process: 'grant' as a base 36 number. */
const advisoryLockKey = 28_024_517;
