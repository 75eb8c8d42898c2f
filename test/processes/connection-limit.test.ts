import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { restClient } from '../support/api/rest-client.ts';
import { createTestDatabase, serverUrl, type TestDatabase } from '../support/database/database.ts';
import { runCli } from '../support/programs/run-cli.ts';
import { startServiceProcess } from '../support/programs/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The default limit of Supabase's session pooler. */
const limit = 15;

describe.skipIf(serverUrl() === undefined)(
  `two processes that share ${limit} connections (needs TEST_DATABASE_URL)`,
  {
    timeout: 180_000,
  },
  () => {
    const role = `limited_${randomUUID().slice(0, 8)}`;
    let database: TestDatabase;
    let admin: pg.Client;
    let url: string;
    let key: string;

    beforeAll(async () => {
      database = await createTestDatabase();
      const direct = database.directUrl ?? database.url;
      admin = new pg.Client({ connectionString: direct });
      await admin.connect();
      const { secret } = await runCli(['seed'], { DATABASE_URL: direct });
      key = secret;
      // The limit does not apply to superusers, so the tables belong to this role.
      await admin.query(
        `create role ${role} login connection limit ${limit}; grant grounded_service to ${role}`,
      );
      await admin.query(`do $$ begin
      execute format('grant create on database %I to ${role}', current_database()); end $$`);
      await giveTablesTo(role);
      const limited = new URL(direct);
      limited.username = role;
      url = limited.href;
    });
    afterAll(async () => {
      await admin.query(
        `reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`,
      );
      await admin.end();
      await database.drop();
    });

    async function giveTablesTo(owner: string): Promise<void> {
      await admin.query(`grant usage on schema extensions to ${owner}, grounded_service`);
      await admin.query(`do $$ declare object record; begin
      for object in select nspname from pg_namespace
        where nspname in ('grounded', 'grounded_jobs', 'supabase_migrations') loop
        execute format('alter schema %I owner to ${owner}', object.nspname);
      end loop;
      for object in select oid::regclass as name from pg_class where relkind in ('r', 'p', 'v')
        and relnamespace::regnamespace::text in ('grounded', 'grounded_jobs', 'supabase_migrations') loop
        execute format('alter table %s owner to ${owner}', object.name);
      end loop;
      for object in select oid::regprocedure as name from pg_proc
        where pronamespace::regnamespace::text in ('grounded', 'grounded_jobs') loop
        execute format('alter function %s owner to ${owner}', object.name);
      end loop;
    end $$`);
    }

    test.each([
      ['a session pooler, by smaller defaults', { DATABASE_POOLER: 'session' }, limit - 1],
      ['a server, by waiting for a connection', {}, limit],
    ])('answer 40 of 40 questions behind %s', async (_name, settings, maxConnections) => {
      const all = { ...settings, DATABASE_URL: url };
      const services = [await startServiceProcess(all), await startServiceProcess(all)];
      const counting = new AbortController();
      const counted = countConnections(counting.signal);
      try {
        const statuses = await Promise.all(
          Array.from({ length: 40 }, async (_, i) => {
            const client = restClient(`${services[i % 2]?.url}/api/v1`, key);
            const message = `Question ${i}: which files may I upload?`;
            return (await client.post('/chat', { message })).status;
          }),
        );
        expect(statuses).toEqual(Array.from({ length: 40 }, () => 200));
      } finally {
        counting.abort();
        for (const service of services) await service.stop();
      }
      expect(await counted).toBeLessThanOrEqual(maxConnections);
      expect(await counted).toBeGreaterThan(2);
    });

    /** Counts connections until the signal aborts. Returns the largest number. */
    async function countConnections(signal: AbortSignal): Promise<number> {
      let most = 0;
      const count = async () => {
        const { rows } = await admin.query<{ count: number }>(
          'select count(*)::int from pg_stat_activity where usename = $1',
          [role],
        );
        most = Math.max(most, rows[0]?.count ?? 0);
        return signal.aborted;
      };
      await waitUntil(count, { timeoutMs: 300_000, intervalMs: 20 });
      return most;
    }
  },
);
