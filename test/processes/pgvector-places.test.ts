import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/domain/evaluation/seeded-random.ts';
import { reindex } from '../../src/domain/knowledge/ingestion/reindex.ts';
import { vectorLiteral } from '../../src/domain/knowledge/retrieval/hybrid-search.ts';
import { searchKnowledge } from '../../src/domain/knowledge/retrieval/search-knowledge.ts';
import { migrate } from '../../supabase/migrate.ts';
import { readMigrations } from '../../supabase/migration-files.ts';
import { clusteredVectors } from '../benchmark/clustered-vectors.ts';
import { generatePassages } from '../benchmark/generated-passages.ts';
import { findProjects, loadProjects } from '../benchmark/load-projects.ts';
import { createEmptyDatabase, serverUrl, type TestDatabase } from '../support/database/database.ts';
import { countVectorIndexScans } from '../support/database/vector-index-scans.ts';
import { addDocuments } from '../support/knowledge.ts';
import { startTestService, type TestService } from '../support/service.ts';

const places = ['public', 'extensions', 'another "schema"'];
const roles = ['superuser', 'plain role'] as const;
type Role = (typeof roles)[number];

const random = seededRandom(3);
const vectors = clusteredVectors(random, { dimensions: 384, clusters: 1, intrinsic: 20 });
const question = vectors.draw(0, random);

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

  // The embedded database has no vector indexes, and one session for all roles.
  test.skipIf(serverUrl() === undefined)(
    'indexes and searches vectors if neither database nor role has the schema in its search path',
    async () => {
      const { database, run } = await newDatabase();
      await run('create schema vec; create extension vector with schema vec');
      const access = await accessAs('plain role', { database, run, schema: 'vec' });
      const { username } = new URL(access.url);
      // A table in the role's own schema has the name of one of the service, which must not read it.
      await run(`create schema own authorization ${username}; create table own.chunk_vectors ();
        do $$ begin execute format('alter database %I set search_path = public', current_database());
        execute format('alter role ${username} in database %I set search_path = own', current_database()); end $$`);
      await migrate(access.url);
      const service = await startTestService({ database: access });
      cleanUps.push(() => service.stop());
      expect(await addAndFind(service)).toEqual(['Opening hours.md']);
      const modelId = await loadLargeProject(service);
      await service.ownerPool.query(`delete from grounded.chunk_vectors
        where chunk_id in (select chunk_id from grounded.chunk_vectors limit 3)`);
      expect(await reindex(service.system)).toMatchObject({ embeddedChunks: 3 });
      expect(
        await run(`select a.amname, x.indisvalid from pg_index x join pg_class c on c.oid = x.indexrelid
          join pg_am a on a.oid = c.relam where c.relname ~ '_hnsw_'`),
      ).toEqual([{ amname: 'hnsw', indisvalid: true }]);

      const byIndex = await findNearest(service, { modelId, mostScanned: 5_000 });
      const exactly = await findNearest(service, { modelId, mostScanned: 0 });
      expect([byIndex.indexScans, exactly.indexScans]).toEqual([1, 0]);
      expect(exactly.ids).toHaveLength(10);
      expect(byIndex.ids.filter((id) => exactly.ids.includes(id)).length).toBeGreaterThan(8);
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

  /** Stores a project that is large enough for an index. Returns the id of the model of its vectors. */
  async function loadLargeProject(service: TestService): Promise<number> {
    const { id: modelId } = await service.adapters.models.servingEmbedding();
    if (modelId === null) throw new Error('no document is embedded yet');
    await loadProjects(service.ownerPool, {
      sizes: [10_100],
      modelId,
      vectors,
      passages: generatePassages(random, 100),
      random,
    });
    return modelId;
  }

  /** Returns the chunks that are nearest to a vector of the large project. */
  async function findNearest(
    { ownerPool }: TestService,
    { modelId, mostScanned }: { readonly modelId: number; readonly mostScanned: number },
  ): Promise<{ ids: string[]; indexScans: number }> {
    const [project] = await findProjects(ownerPool);
    const client = await ownerPool.connect();
    try {
      await client.query('begin');
      const before = await countVectorIndexScans(client);
      const { rows } = await client.query<{ id: string }>(
        `select id from grounded.nearest_vectors($1, $2::smallint, $3::text::grounded.embedding, $4, 200, 10)
         order by similarity desc`,
        [project?.id, modelId, vectorLiteral(question), mostScanned],
      );
      const indexScans = (await countVectorIndexScans(client)) - before;
      return { ids: rows.map(({ id }) => id), indexScans };
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  /** Runs the service with this access and searches. Returns the names of the documents found. */
  async function findInDocuments(database: TestDatabase): Promise<string[]> {
    const service = await startTestService({ database: { ...database, drop: async () => {} } });
    try {
      return await addAndFind(service);
    } finally {
      await service.stop();
    }
  }

  /** Adds a document and searches. Returns the names of the documents found. */
  async function addAndFind(service: TestService): Promise<string[]> {
    const { projectId } = await service.createTenant();
    await addDocuments(service, projectId, { 'Opening hours.md': 'The museum opens at nine.' });
    const results = await searchKnowledge(service.system, {
      projectId,
      query: 'museum',
      limit: 5,
    });
    return results.map(({ documentName }) => documentName);
  }
});
