import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toUnavailable } from '../../src/platform/errors.ts';
import { type DatabaseSettings, openPool } from '../../src/platform/postgres/database-pool.ts';
import { PrismaClient } from '../../src/platform/postgres/generated/prisma/client.ts';
import { createTestDatabase, serverUrl, type TestDatabase } from '../support/database/database.ts';
import { databaseAccessFor } from '../support/database/database-access.ts';
import { proxyDatabase } from '../support/servers/database-proxy.ts';
import { waitUntil } from '../support/wait-until.ts';

// Skips the embedded database, because it never cancels statements, and the statement names of its clients do not
// conflict.
describe.skipIf(serverUrl() === undefined)('connections', () => {
  let database: TestDatabase;
  const pools: pg.Pool[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await database?.drop();
  });

  function open(access: Partial<DatabaseSettings> = {}): pg.Pool {
    const pool = openPool(databaseAccessFor(database, { connectTimeoutMs: 5_000, ...access }), {
      name: 'test',
      size: 2,
    });
    pool.on('error', () => {});
    pools.push(pool);
    return pool;
  }

  /** Returns the number of running statements with this text. */
  async function countRunning(text: string): Promise<number> {
    const client = new pg.Client({ connectionString: database.directUrl });
    await client.connect();
    const { rows } = await client.query(
      `select count(*)::int as count from pg_stat_activity
       where state = 'active' and pid <> pg_backend_pid() and query like '%' || $1 || '%'`,
      [text],
    );
    await client.end();
    return rows[0].count;
  }

  /**
   * Returns for how long the open transaction has been waiting for its next statement. Uses the clock of the server.
   */
  async function idleMilliseconds(pid: number): Promise<number> {
    const client = new pg.Client({ connectionString: database.directUrl });
    await client.connect();
    const { rows } = await client.query(
      `select extract(epoch from clock_timestamp() - state_change)::float8 * 1000 as idle
       from pg_stat_activity where state = 'idle in transaction' and pid = $1`,
      [pid],
    );
    await client.end();
    return rows[0]?.idle ?? 0;
  }

  const ways: [string, (pool: pg.Pool, sql: string) => PromiseLike<unknown>][] = [
    ['a statement', (pool, sql) => pool.query(sql)],
    ['a statement with values', (pool, sql) => pool.query(`${sql} where $1`, [true])],
    ['a query of Prisma', (pool, sql) => prismaOver(pool).$queryRawUnsafe(sql)],
    [
      'a transaction of Prisma',
      (pool, sql) =>
        prismaOver(pool).$transaction((db) => db.$queryRawUnsafe(sql), { timeout: 30_000 }),
    ],
  ];

  test.each(ways)(
    '%s that exceeds its timeout is cancelled on the server, and can be retried',
    async (way, run) => {
      const pool = open({ statementTimeoutMs: 300 });
      // The statement takes longer than this test may take, so only a cancellation can end it.
      const sql = `select pg_sleep(60)::text, '${way}'`;
      const failure = await Promise.resolve(run(pool, sql)).catch((error: unknown) => error);
      expect(toUnavailable(failure)).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 });
      await waitUntil(async () => (await countRunning(`pg_sleep(60)::text, '${way}`)) === 0);
      expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    },
  );

  test('each statement of a transaction has its own timeout, and pauses do not count', async () => {
    const pool = open({ statementTimeoutMs: 400 });
    const statements = prismaOver(pool).$transaction(
      async (db) => {
        for (let n = 0; n < 3; n += 1) await db.$queryRaw`select pg_sleep(0.25)::text`;
        const [{ pid } = { pid: 0 }] = await db.$queryRaw<
          { pid: number }[]
        >`select pg_backend_pid() as pid`;
        await waitUntil(async () => (await idleMilliseconds(pid)) > 600);
        return db.$queryRaw`select 1 as one`;
      },
      { timeout: 10_000 },
    );
    expect(await statements).toEqual([{ one: 1 }]);
  });

  test('a server that stops responding is abandoned, and used again after it recovers', async () => {
    const line = await proxyDatabase({ ...database, drop: async () => {} });
    const pool = open({
      databaseUrl: line.url,
      directDatabaseUrl: line.url,
      usesTransactionPooler: false,
      statementTimeoutMs: 200,
    });
    await pool.query('select 1');
    line.hang();
    const failure = await pool.query('select 2').catch((error: unknown) => error);
    expect(toUnavailable(failure)).toMatchObject({ code: 'UNAVAILABLE' });
    line.restore();
    expect((await pool.query('select 3 as three')).rows).toEqual([{ three: 3 }]);
    await line.drop();
  });

  test.each([
    ['is prepared once where the session is our own', true],
    ['is not kept where a pooler may give the next statement another session', false],
  ])('a named statement %s', async (_what, isOwn) => {
    const direct = database.directUrl ?? database.url;
    const other = `${direct}?application_name=elsewhere`;
    // Different addresses do not show that `databaseUrl` is a transaction pooler: a session pooler may also have a
    // direct address.
    const pool = open({
      databaseUrl: direct,
      directDatabaseUrl: isOwn ? other : direct,
      usesTransactionPooler: !isOwn,
    });
    const client = await pool.connect();
    await client.query({ name: 'one-of-ours', text: 'select $1::int', values: [1] });
    const { rows } = await client.query('select name from pg_prepared_statements');
    client.release();
    expect(rows).toEqual(isOwn ? [{ name: 'one-of-ours' }] : []);
  });
});

function prismaOver(pool: pg.Pool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool, { schema: 'grounded' }) });
}
