import { once } from 'node:events';
import { createServer } from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asUnavailable } from '../../src/domain/errors.ts';
import { PrismaClient } from '../../src/domain/generated/prisma/client.ts';
import { createLog } from '../../src/log.ts';
import { publicError } from '../../src/schema/errors.ts';
import { createTestDatabase, serverUrl, type TestDatabase } from '../support/database.ts';

/** Whatever `work` fails with. */
async function failureOf(work: () => PromiseLike<unknown>): Promise<unknown> {
  const failure = await Promise.resolve(work()).then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).not.toBeNull();
  return failure;
}

function expectUnavailable(error: unknown): void {
  expect(asUnavailable(error)).toMatchObject({
    code: 'UNAVAILABLE',
    message: 'The service cannot answer at the moment. Try again later',
    retryable: true,
    cause: error,
  });
}

function connect(
  url: string,
  settings: pg.PoolConfig = {},
): { pool: pg.Pool; prisma: PrismaClient } {
  const pool = new pg.Pool({ connectionString: url, ...settings });
  pool.on('error', () => {}); // an idle connection that is ended
  return {
    pool,
    prisma: new PrismaClient({ adapter: new PrismaPg(pool, { schema: 'grounded' }) }),
  };
}

/** Every way to the database. */
const statements: [string, (database: ReturnType<typeof connect>) => PromiseLike<unknown>][] = [
  ['a statement of the pool', ({ pool }) => pool.query('select 1')],
  ['a query of Prisma', ({ prisma }) => prisma.organization.findFirst()],
  ['a raw query of Prisma', ({ prisma }) => prisma.$queryRaw`select 1`],
  ['a transaction of Prisma', ({ prisma }) => prisma.$transaction((tx) => tx.$queryRaw`select 1`)],
];

describe('a database that is gone', () => {
  test.each(statements)('is trouble that passes: %s', async (_what, run) => {
    const unused = createServer().listen(0, '127.0.0.1');
    await once(unused, 'listening');
    const address = unused.address();
    const port = typeof address === 'object' ? address?.port : 0;
    unused.close();
    await once(unused, 'close');

    const database = connect(`postgresql://nobody@127.0.0.1:${port}/nowhere`);
    expectUnavailable(await failureOf(() => run(database)));
    await database.pool.end();
  });

  test('whose name cannot be resolved is trouble that passes', async () => {
    const { pool } = connect('postgresql://nobody@database.invalid/nowhere');
    expectUnavailable(await failureOf(() => pool.query('select 1')));
    await pool.end();
  });
});

describe('a database that is there', () => {
  let testDatabase: TestDatabase;
  let database: ReturnType<typeof connect>;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = connect(testDatabase.url, { max: 1, connectionTimeoutMillis: 1_000 });
  });
  afterAll(async () => {
    await database?.pool.end();
    await testDatabase?.drop();
  });

  test('with no free connection is trouble that passes', async () => {
    const client = await database.pool.connect();
    const failures = await Promise.all(
      statements.map(([_what, run]) => failureOf(() => run(database))),
    );
    client.release();
    failures.forEach(expectUnavailable);
  });

  test('that drops the connection in the middle of a statement is trouble that passes', async () => {
    const client = new pg.Client(testDatabase.url);
    client.on('error', () => {});
    await client.connect();
    const failure = failureOf(() => client.query('select pg_sleep(0.2)'));
    const { stream } = Reflect.get(client, 'connection');
    stream.destroy();
    expectUnavailable(await failure);
    expectUnavailable(await failureOf(() => client.query('select 1')));
  });

  test.runIf(serverUrl())('that ends a session (57P01) is trouble that passes', async () => {
    const { pool, prisma } = database;
    const end = 'select pg_terminate_backend(pg_backend_pid())::text';
    expectUnavailable(await failureOf(() => pool.query(end)));
    expectUnavailable(await failureOf(() => prisma.$queryRawUnsafe(end)));
    const transaction = prisma.$transaction(async (tx) => {
      await tx.$queryRawUnsafe(end).catch(() => {});
      await tx.organization.findFirst();
    });
    expectUnavailable(await failureOf(() => transaction));
  });

  test('that takes longer than a transaction may is trouble that passes', async () => {
    const slow = database.prisma.$transaction((tx) => tx.$queryRaw`select pg_sleep(0.3)::text`, {
      timeout: 100,
    });
    expectUnavailable(await failureOf(() => slow));
  });

  test.each(['40001', '40P01'])(
    'that ends one of two in conflict (%s) is trouble that passes',
    async (code) => {
      const { pool, prisma } = database;
      const end = `do $$ begin raise exception using errcode = '${code}'; end $$`;
      expectUnavailable(await failureOf(() => pool.query(end)));
      expectUnavailable(await failureOf(() => prisma.$executeRawUnsafe(end)));
    },
  );

  test('that refuses a statement of ours is a bug of ours', async () => {
    const { pool, prisma } = database;
    expect(asUnavailable(await failureOf(() => pool.query('select nonsense')))).toBeNull();
    expect(asUnavailable(await failureOf(() => prisma.$queryRaw`select nonsense`))).toBeNull();
    const twice = { id: crypto.randomUUID(), name: 'Twice' };
    await prisma.organization.create({ data: twice });
    const again = await failureOf(() => prisma.organization.create({ data: twice }));
    expect(asUnavailable(again)).toBeNull();
  });
});

test.each(['ENOSPC', 'EDQUOT', 'EMFILE'])('a disk that says %s is trouble that passes', (code) => {
  const error = Object.assign(new Error(`${code}: write`), { code, syscall: 'write' });
  expectUnavailable(error);
  expectUnavailable(new Error('cannot store the file', { cause: error }));
});

test('trouble that passes is told to callers of GraphQL, and nothing of its cause', () => {
  const error = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3'), { code: 'ECONNREFUSED' });
  const { message, extensions } = publicError(error, createLog('silent'));
  expect({ message, ...extensions }).toMatchObject({
    message: 'The service cannot answer at the moment. Try again later',
    code: 'UNAVAILABLE',
    retryable: true,
  });
});

test.each([
  null,
  undefined,
  'ECONNREFUSED',
  new Error('ECONNREFUSED'),
  Object.assign(new Error('no such file'), { code: 'ENOENT' }),
  new TypeError('x is not a function'),
])('anything else is not: %s', (error) => {
  expect(asUnavailable(error)).toBeNull();
});

test('an error that is its own cause comes to an end', () => {
  const error = new Error('round and round');
  error.cause = error;
  expect(asUnavailable(error)).toBeNull();
});
