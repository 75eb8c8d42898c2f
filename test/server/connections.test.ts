import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import express from 'express';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/server/http-server.ts';
import { createLog } from '../../src/server/log.ts';

let server: HttpServer;
const sockets: Socket[] = [];

async function start(limits: object): Promise<void> {
  const app = express().get('/', (_request, response) => {
    response.end('ok');
  });
  server = await startHttpServer(() => app, {
    host: '127.0.0.1',
    port: 0,
    stopGraceMs: 0,
    log: createLog('silent', {}),
    ...limits,
  });
}

/** Opens a connection. `closed` resolves when the connection is closed. */
async function open(): Promise<{ readonly socket: Socket; readonly closed: Promise<unknown> }> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {}).resume();
  sockets.push(socket);
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  return { socket, closed };
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.stop();
});

// Other operating systems have a smaller limit for waiting connections.
test.runIf(process.platform === 'linux')(
  'no one of 1,000 clients that connect at once has to try again',
  async () => {
    await start({});
    // Retries the test, because the system counts the refusals of all processes together.
    await vi.waitFor(async () => {
      const before = countRefusals();
      await Promise.all(Array.from({ length: 1_000 }, () => open()));
      expect(countRefusals()).toBe(before);
    }, 15_000);
  },
);

/** Returns how many connections Linux has refused because the queue of a listening socket was full. */
function countRefusals(): number {
  const lines = readFileSync('/proc/net/netstat', 'utf8').split('\n');
  const [names = [], counts = []] = lines
    .filter((line) => line.startsWith('TcpExt:'))
    .map((line) => line.split(' '));
  return Number(counts[names.indexOf('ListenOverflows')]);
}

describe('a connection', () => {
  test.each([
    ['that sends its headers slowly', 'GET / HTTP/1.1\r\nHost: x\r\nA: '],
    ['that sends nothing', ''],
  ])('%s is closed after the time-out', async (_, bytes) => {
    await start({ headersTimeoutMs: 300 });
    const { socket, closed } = await open();
    if (bytes !== '') socket.write(bytes);
    await closed;
  });

  test('above the limit of its address is closed at once, until another one ends', async () => {
    await start({ maxConnectionsPerAddress: 2 });
    const first = await open();
    await open();
    const third = await open();
    await third.closed;
    first.socket.destroy();
    await first.closed;
    await expect
      .poll(() =>
        fetch(server.url).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      .toBe(true);
  });

  test('above the limit of the process is closed at once', async () => {
    await start({ maxConnections: 1 });
    await open();
    const second = await open();
    await second.closed;
  });
});
