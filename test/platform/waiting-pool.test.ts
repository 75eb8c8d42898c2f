import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WaitingPool } from '../../src/platform/postgres/waiting-pool.ts';

/** A server that accepts `limit` connections and refuses others, as Postgres does. It never answers a statement. */
let server: Server;
let limit: number;
const open = new Set<Socket>();
const pools: WaitingPool[] = [];

const message = (type: string, ...parts: (string | Buffer)[]) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const welcome = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', 'I')]);
const refusal = message('E', 'SFATAL\0C53300\0Mtoo many connections\0\0');

beforeEach(async () => {
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      if (open.size >= limit) {
        socket.end(refusal);
        return;
      }
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      socket.on('data', () => socket.end());
      socket.write(welcome);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  const ends = pools.splice(0).map((pool) => pool.end());
  for (const socket of open) socket.destroy();
  void Promise.allSettled(ends);
  await new Promise((resolve) => server.close(resolve));
});

function openPool(options: pg.PoolConfig): WaitingPool {
  const { port } = server.address() as AddressInfo;
  const pool = new WaitingPool({ host: '127.0.0.1', port, user: 'test', ...options });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  pools.push(pool);
  return pool;
}

it('gives waiting callers new connections when the server has some again', async () => {
  limit = 1;
  const pool = openPool({ max: 4, connectionTimeoutMillis: 8_000 });
  const held = await pool.connect();
  const clients: pg.PoolClient[] = [];
  const waiting = Array.from({ length: 6 }, () =>
    pool.connect().then((client) => clients.push(client)),
  );
  // All of them wait for the only connection of this pool, because the test does not return it.
  await expect.poll(() => pool.waitingCount).toBe(6);
  limit = 4;
  await expect.poll(() => clients.length).toBe(3);
  expect(pool.totalCount).toBe(4);
  for (const client of [held, ...clients.splice(0)]) client.release();
  await Promise.all(waiting);
  for (const client of clients) client.release();
});

it('asks again while the server still refuses', async () => {
  limit = 1;
  let attempts = 0;
  server.on('connection', () => {
    attempts += 1;
    if (attempts === 4) limit = 2;
  });
  const pool = openPool({ max: 3, connectionTimeoutMillis: 20_000 });
  const held = await pool.connect();
  const second = await pool.connect();
  expect(attempts).toBeGreaterThanOrEqual(4);
  second.release();
  held.release();
}, 30_000);

it('waits no longer than the timeout in all attempts together', async () => {
  const timeouts: (number | undefined)[] = [];
  class RecordingClient extends pg.Client {
    constructor(config: pg.ClientConfig = {}) {
      super(config);
      timeouts.push(config.connectionTimeoutMillis);
      if (timeouts.length === 3) limit = 1;
    }
  }
  limit = 0;
  const pool = openPool({ max: 2, connectionTimeoutMillis: 10_000, Client: RecordingClient });
  (await pool.connect()).release();
  const [first = 0, second = 0, third = 0] = timeouts;
  expect(first).toBe(10_000);
  expect(second).toBeLessThanOrEqual(9_901);
  expect(third).toBeLessThanOrEqual(9_802);
  expect(pool.options.connectionTimeoutMillis).toBe(10_000);
});
