import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PrismaClient } from '../../src/platform/postgres/generated/prisma/client.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database/database.ts';

// With TEST_DATABASE_URL, these tests run on a real Postgres, because the embedded database must behave in the same
// way.
describe('the database clients of this service', () => {
  let database: TestDatabase;
  let pool: pg.Pool;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 20 });
    await pool.query('create table accounts (id int primary key, balance int not null)');
    await pool.query('insert into accounts select n, 100 from generate_series(1, 20) n');
    await pool.query('create table blobs (id int primary key, content text not null)');
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  async function transfer(from: number, to: number, isKept: boolean): Promise<void> {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const sql = 'update accounts set balance = balance + $2 where id = $1 returning id';
      for (const [id, amount] of [
        [from, -1],
        [to, 1],
      ].sort()) {
        expect((await client.query(sql, [id, amount])).rows).toEqual([{ id }]);
      }
      await client.query(isKept ? 'commit' : 'rollback');
    } finally {
      client.release();
    }
  }

  it('interleaves the transactions of 20 clients without mixing them', async () => {
    const transfers = Array.from({ length: 400 }, (_, n) =>
      transfer((n % 20) + 1, ((n * 7 + 3) % 20) + 1, n % 4 !== 0),
    );
    await Promise.all(transfers);
    const { rows } = await pool.query('select sum(balance)::int as sum from accounts');
    expect(rows).toEqual([{ sum: 2_000 }]);
  });

  it('returns its own large rows to each of 20 clients', async () => {
    const content = (id: number) => `${id} `.repeat(100_000 + id);
    await Promise.all(
      Array.from({ length: 20 }, async (_, id) => {
        await pool.query('insert into blobs values ($1, $2)', [id, content(id)]);
        const { rows } = await pool.query<{ id: number; content: string }>(
          'select * from blobs where id = $1 or content = $2',
          [id, content(id)],
        );
        expect(rows.map((row) => row.id)).toEqual([id]);
        expect(rows[0]?.content === content(id)).toBe(true);
      }),
    );
  });

  it('separates the named statements of 20 clients', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const client = await pool.connect();
        try {
          for (let round = 0; round < 5; round += 1) {
            const text = `select $1::int + ${n} as sum`;
            const { rows } = await client.query({ name: 'sum', text, values: [round] });
            expect(rows).toEqual([{ sum: round + n }]);
          }
        } finally {
          client.release(true);
        }
      }),
    );
  });

  it('recovers a client after an error in its transaction', async () => {
    const client = await pool.connect();
    await client.query('begin');
    await expect(client.query('select 1/0')).rejects.toThrow('division by zero');
    await expect(client.query('select 1')).rejects.toThrow('current transaction is aborted');
    await client.query('rollback');
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    client.release();
  });

  it('runs Prisma queries and interactive transactions concurrently', async () => {
    const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: database.url }) });
    await prisma.$executeRaw`create table notes (id serial primary key, text text not null)`;
    const write = (n: number) =>
      prisma.$transaction(
        async (tx) => {
          await tx.$executeRaw`insert into notes (text) values (${`note ${n}`})`;
          if (n % 3 === 0) throw new Error('changed my mind');
          return tx.$queryRaw<
            { text: string }[]
          >`select text from notes where text = ${`note ${n}`}`;
        },
        { maxWait: 15_000, timeout: 15_000 },
      );
    const results = await Promise.allSettled(Array.from({ length: 30 }, (_, n) => write(n)));
    for (const [n, result] of results.entries()) {
      expect(result.status).toBe(n % 3 === 0 ? 'rejected' : 'fulfilled');
      if (result.status === 'fulfilled') expect(result.value).toEqual([{ text: `note ${n}` }]);
    }
    expect(await prisma.$queryRaw`select count(*)::int from notes`).toEqual([{ count: 20 }]);
    await prisma.$disconnect();
  });

  it('runs pg-boss from start to completed job', async () => {
    const boss = new PgBoss({ connectionString: database.url, schema: 'jobs' });
    await boss.start();
    await boss.createQueue('greet');
    const sent = await Promise.all(
      Array.from({ length: 20 }, (_, n) => boss.send('greet', { name: `n${n}` })),
    );
    const done = new Set<string>();
    await new Promise<void>((resolve) => {
      void boss.work('greet', { batchSize: 5, pollingIntervalSeconds: 0.5 }, async (jobs) => {
        for (const job of jobs) done.add(job.id);
        if (done.size === sent.length) resolve();
      });
    });
    expect([...done].sort()).toEqual([...sent].sort());
    await boss.stop({ graceful: true });
    const { rows } = await pool.query(`select state, count(*)::int from jobs.job group by state`);
    expect(rows).toEqual([{ state: 'completed', count: 20 }]);
  });
});
