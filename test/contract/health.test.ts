import { rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { type CapturedLog, captureLog } from '../support/captured-log.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { type ProxiedDatabase, proxyDatabase } from '../support/servers/database-proxy.ts';
import { startTestService, type TestService } from '../support/service.ts';

const { version } = packageJson;

let database: ProxiedDatabase;
let captured: CapturedLog;
let service: TestService;

beforeAll(async () => {
  database = await proxyDatabase(await createTestDatabase());
  captured = captureLog();
  service = await startTestService({
    database,
    log: captured.log,
    // No server listens on this port, so the connection fails.
    openAi: {
      baseUrl: 'http://127.0.0.1:9/v1',
      apiKey: null,
      chatModel: 'absent',
      embeddingModel: 'absent',
    },
  });
});
afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

async function probe(path: string): Promise<{ status: number; body: unknown; headers: Headers }> {
  const response = await fetch(`${service.url}/health/${path}`);
  return { status: response.status, body: await response.json(), headers: response.headers };
}

const allOk = {
  status: 200,
  body: { status: 'ok', version, checks: { database: 'ok', storage: 'ok', queue: 'ok' } },
};

test('liveness needs no key and is never cached', async () => {
  const { headers, ...answer } = await probe('live');
  expect(answer).toEqual({ status: 200, body: { status: 'ok', version } });
  expect(headers.get('Cache-Control')).toBe('no-store');
});

test('/health alone answers as the liveness check, with the version', async () => {
  expect(await probe('')).toMatchObject({ status: 200, body: { status: 'ok', version } });
  const answer = await fetch(`${service.url}/health`);
  expect(await answer.json()).toEqual({ status: 'ok', version });
});

test('the service is ready when every dependency is ready, regardless of the model server', async () => {
  const { headers, ...answer } = await probe('ready');
  expect(answer).toEqual(allOk);
  expect(headers.get('Cache-Control')).toBe('no-store');
});

test('a node that cannot store files is degraded, and stays in rotation', async () => {
  await rename(service.filesDirectory, `${service.filesDirectory}-away`);
  await writeFile(service.filesDirectory, 'in the way');
  expect(await probe('ready')).toMatchObject({
    status: 200,
    body: {
      status: 'degraded',
      checks: { database: 'ok', storage: 'unavailable', queue: 'ok' },
    },
  });
  await rm(service.filesDirectory);
  await rename(`${service.filesDirectory}-away`, service.filesDirectory);
  expect(await probe('ready')).toMatchObject(allOk);
});

test('a hanging database is reported within the timeout, over one connection for any number of probes', async () => {
  await probe('ready');
  const connections = service.adapters.pool.totalCount;
  database.hang();
  // Sends the requests at the same time. In sequence, they would exceed the time limit of the test.
  const answers = await Promise.all(Array.from({ length: 50 }, () => probe('ready')));
  for (const { status, body } of answers) {
    expect(status).toBe(503);
    expect(body).toEqual({
      status: 'unavailable',
      version,
      checks: { database: 'unavailable', storage: 'ok', queue: 'unavailable' },
    });
  }
  expect(service.adapters.pool.totalCount).toBeLessThanOrEqual(connections + 1);
  expect(await probe('live')).toMatchObject({ status: 200 });

  database.restore();
  await vi.waitFor(async () => expect(await probe('ready')).toMatchObject(allOk), 40_000);
}, 60_000);

test('an unreachable database is reported at once, with the cause in the log and not in the response', async () => {
  const before = captured.lines().length;
  database.cut();
  const answer = await probe('ready');
  expect(answer.status).toBe(503);
  expect(JSON.stringify(answer.body)).not.toMatch(/ECONN|127\.0\.0\.1|terminated/);
  await probe('ready');
  const told = captured
    .lines()
    .slice(before)
    .filter(({ dependency }) => dependency === 'database');
  expect(told).toEqual([
    expect.objectContaining({
      level: 'warn',
      err: expect.objectContaining({ message: expect.any(String) }),
      requestId: answer.headers.get('X-Request-Id'),
    }),
  ]);

  database.restore();
  await vi.waitFor(async () => expect(await probe('ready')).toMatchObject(allOk), 40_000);
}, 60_000);

test('readiness reports the shutdown as soon as it starts', async () => {
  const leaving = await startTestService({ database, isWorker: false });
  const { hostname, port } = new URL(leaving.url);
  const socket = connect(Number(port), hostname);
  const answer = text(socket);
  socket.write('GET /health/ready HTTP/1.1\r\nHost: here\r\nConnection: close\r\n');
  // When this response arrives, the server has also accepted the connection that was opened above.
  await fetch(`${leaving.url}/health/live`);
  const stopped = leaving.stop();
  socket.write('\r\n');
  expect(await answer).toMatch(/^HTTP\/1\.1 503 .*\{"status":"stopping","version":"[\d.]+"\}$/s);
  await stopped;
}, 30_000);

test('the root leads a browser to the dashboard and tells a program the interfaces', async () => {
  const open = (accept: string) =>
    fetch(service.url, { headers: { Accept: accept }, redirect: 'manual' });
  const page = await open('text/html,application/xhtml+xml,*/*;q=0.8');
  expect([page.status, page.headers.get('Location')]).toEqual([302, '/dashboard']);
  const answer = await open('*/*');
  const interfaces: Record<string, string> = await answer.json();
  expect(interfaces).toMatchObject({ rest: '/api/v1', graphql: '/graphql', mcp: '/mcp' });
  const documents = ['dashboard', 'docs', 'openapi', 'health'].map((name) => interfaces[name]);
  for (const path of documents) expect((await fetch(`${service.url}${path}`)).status).toBe(200);
});
