import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { searchKnowledge } from '../../src/domain/knowledge/retrieval/search-knowledge.ts';
import { migrate } from '../../supabase/migrate.ts';
import { readMigrations } from '../../supabase/migration-files.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { addDocuments } from '../support/knowledge.ts';
import { startTestService } from '../support/service.ts';

const places = ['public', 'extensions', 'another "schema"'];
const roles = ['superuser', 'plain role'] as const;
type Role = (typeof roles)[number];

// With TEST_DATABASE_URL, these tests run on that Postgres. Otherwise they run on the embedded database.
describe('places of pgvector', { timeout: 120_000 }, () => {
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  test.each(places.flatMap((place) => roles.map((role) => ({ place, role }))))(
    'works for a $role with the extension in $place',
    async ({ place, role }) => {
      const { database, run } = await newDatabase();
      const schema = pg.escapeIdentifier(place);
      await run(
        `create schema if not exists ${schema}; create extension vector with schema ${schema}`,
      );
      const access = await accessAs(role, { database, run, schema });
      expect((await migrate(access.url)).applied).toHaveLength(readMigrations().length);
      expect(await migrate(access.url)).toEqual({ applied: [], changed: [] });
      expect(await findInDocuments(access)).toEqual(['Opening hours.md']);
    },
  );

  test('creates the extension as a superuser if it is absent', async () => {
    const { database, run } = await newDatabase();
    await migrate(database.url);
    expect(
      await run(
        `select extnamespace::regnamespace::text as place from pg_extension where extname = 'vector'`,
      ),
    ).toEqual([{ place: 'extensions' }]);
    expect(await findInDocuments(database)).toEqual(['Opening hours.md']);
  });

  test('tells a role that may not create the extension what an administrator has to run', async () => {
    const { database, run } = await newDatabase();
    const access = await accessAs('plain role', { database, run, schema: 'public' });
    await expect(migrate(access.url)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(
        /pgvector is not installed in this database, and the role plain_\w+ may not create it.* create extension vector with schema extensions;/,
      ),
    });
    expect(await run(`select nspname from pg_namespace where nspname = 'extensions'`)).toEqual([]);
  });

  test.each(['the role that migrates', 'grounded_service'])(
    'tells what an administrator has to run if %s may not use the schema',
    async (excluded) => {
      const { database, run } = await newDatabase();
      await run('create schema hidden; create extension vector with schema hidden');
      const access = await accessAs('plain role', { database, run, schema: 'hidden' });
      const role = excluded === 'grounded_service' ? excluded : new URL(access.url).username;
      // Also revokes the right of `grounded_service`, because the migrating role would inherit it.
      await run(`revoke usage on schema hidden from ${role}, grounded_service`);
      const command = `grant usage on schema hidden to ${role};`;
      await expect(migrate(access.url)).rejects.toThrow(`Let an administrator run: ${command}`);
      await run(`${command} grant usage on schema hidden to grounded_service`);
      await migrate(access.url);
      expect(await migrate(access.url)).toEqual({ applied: [], changed: [] });
    },
  );

  async function newDatabase() {
    const database = await createEmptyDatabase();
    cleanUps.push(() => database.drop());
    const client = new pg.Client({ connectionString: database.directUrl ?? database.url });
    await client.connect();
    cleanUps.push(() => client.end());
    const run = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows;
    return { database, run };
  }

  /**
   * Returns the access of a role. The plain role may create schemas, and has the rights that an administrator must
   * grant.
   */
  async function accessAs(
    role: Role,
    {
      database,
      run,
      schema,
    }: { database: TestDatabase; run: (sql: string) => Promise<unknown>; schema: string },
  ): Promise<TestDatabase> {
    if (role === 'superuser') return database;
    const name = `plain_${randomUUID().slice(0, 8)}`;
    await run(`create role ${name} login; do $$ begin create role grounded_service; exception when duplicate_object then null; end $$;
      grant grounded_service to ${name};
      grant usage on schema ${schema} to ${name}, grounded_service;
      do $$ begin execute format('grant create on database %I to ${name}', current_database()); end $$`);
    cleanUps.push(() => run(`drop owned by ${name} cascade; drop role ${name}`));
    const url = new URL(database.directUrl ?? database.url);
    url.username = name;
    return { url: url.href, drop: async () => {} };
  }

  /** Runs the service with this access and searches. Returns the names of the documents found. */
  async function findInDocuments(database: TestDatabase): Promise<string[]> {
    const service = await startTestService({ database: { ...database, drop: async () => {} } });
    try {
      const { projectId } = await service.createTenant();
      await addDocuments(service, projectId, { 'Opening hours.md': 'The museum opens at nine.' });
      const results = await searchKnowledge(service.system, {
        projectId,
        query: 'museum',
        limit: 5,
      });
      return results.map(({ documentName }) => documentName);
    } finally {
      await service.stop();
    }
  }
});
