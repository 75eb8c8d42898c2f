import { once } from 'node:events';
import { createServer } from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toUnavailable } from '../../src/platform/errors.ts';
import { PrismaClient } from '../../src/platform/postgres/generated/prisma/client.ts';
import { maskError } from '../../src/schema/serving/mask-errors.ts';
import { createLog } from '../../src/server/log.ts';
import { createTestDatabase, serverUrl, type TestDatabase } from '../support/database/database.ts';

/** Returns the error with which `work` rejects. */
async function failureOf(work: () => PromiseLike<unknown>): Promise<unknown> {
  const failure = await Promise.resolve(work()).then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).not.toBeNull();
  return failure;
}

function expectUnavailable(error: unknown): void {
  expect(toUnavailable(error)).toMatchObject({
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

/** All ways in which the service runs a statement. */
const statements: [string, (database: ReturnType<typeof connect>) => PromiseLike<unknown>][] = [
  ['a statement of the pool', ({ pool }) => pool.query('select 1')],
  ['a query of Prisma', ({ prisma }) => prisma.organization.findFirst()],
  ['a raw query of Prisma', ({ prisma }) => prisma.$queryRaw`select 1`],
  ['a transaction of Prisma', ({ prisma }) => prisma.$transaction((tx) => tx.$queryRaw`select 1`)],
];

describe('an unavailable database', () => {
  test.each(statements)('is a retryable error: %s', async (_what, run) => {
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

  test('with an unresolvable host name is a retryable error', async () => {
    const { pool } = connect('postgresql://nobody@database.invalid/nowhere');
    expectUnavailable(await failureOf(() => pool.query('select 1')));
    await pool.end();
  });
});

describe('an available database', () => {
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

  test('without a free connection is a retryable error', async () => {
    const client = await database.pool.connect();
    const failures = await Promise.all(
      statements.map(([_what, run]) => failureOf(() => run(database))),
    );
    client.release();
    failures.forEach(expectUnavailable);
  });

  test('that closes the connection during a statement is a retryable error', async () => {
    const client = new pg.Client(testDatabase.url);
    client.on('error', () => {});
    await client.connect();
    const failure = failureOf(() => client.query('select pg_sleep(0.2)'));
    const { stream } = Reflect.get(client, 'connection');
    stream.destroy();
    expectUnavailable(await failure);
    expectUnavailable(await failureOf(() => client.query('select 1')));
  });

  test.runIf(serverUrl())('that terminates a session (57P01) is a retryable error', async () => {
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

  test('that exceeds the transaction timeout is a retryable error', async () => {
    const slow = database.prisma.$transaction((tx) => tx.$queryRaw`select pg_sleep(0.3)::text`, {
      timeout: 100,
    });
    expectUnavailable(await failureOf(() => slow));
  });

  test.each(['40001', '40P01'])(
    'that cancels one of two conflicting transactions (%s) is a retryable error',
    async (code) => {
      const { pool, prisma } = database;
      const end = `do $$ begin raise exception using errcode = '${code}'; end $$`;
      expectUnavailable(await failureOf(() => pool.query(end)));
      expectUnavailable(await failureOf(() => prisma.$executeRawUnsafe(end)));
    },
  );

  test('that rejects one of our statements is an internal error', async () => {
    const { pool, prisma } = database;
    expect(toUnavailable(await failureOf(() => pool.query('select nonsense')))).toBeNull();
    expect(toUnavailable(await failureOf(() => prisma.$queryRaw`select nonsense`))).toBeNull();
    const twice = { id: crypto.randomUUID(), name: 'Twice' };
    await prisma.organization.create({ data: twice });
    const again = await failureOf(() => prisma.organization.create({ data: twice }));
    expect(toUnavailable(again)).toBeNull();
  });
});

test.each(['EMFILE', 'ENFILE'])('a disk error %s is retryable', (code) => {
  const error = Object.assign(new Error(`${code}: write`), { code, syscall: 'write' });
  expectUnavailable(error);
  expectUnavailable(new Error('cannot store the file', { cause: error }));
});

test('GraphQL callers receive UNAVAILABLE without the cause', () => {
  const error = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3'), { code: 'ECONNREFUSED' });
  const { message, extensions } = maskError(error, createLog('silent'));
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
])('other errors are not retryable: %s', (error) => {
  expect(toUnavailable(error)).toBeNull();
});

test('an error that is its own cause causes no endless loop', () => {
  const error = new Error('round and round');
  error.cause = error;
  expect(toUnavailable(error)).toBeNull();
});
