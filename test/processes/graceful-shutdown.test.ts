import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { streamChat } from '../support/api/chat-stream.ts';
import { openConnection } from '../support/api/raw-connection.ts';
import { restClient } from '../support/api/rest-client.ts';
import { subscribe } from '../support/api/subscription.ts';
import {
  createTestDatabase,
  databaseSettings,
  type TestDatabase,
} from '../support/database/database.ts';
import { runCli } from '../support/programs/run-cli.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { waitUntil } from '../support/wait-until.ts';

let database: TestDatabase;
let models: OpenAiServer;
let dataDir: string;
let settings: Record<string, string>;
let key: string;
let projectId: string;
const started: ServiceProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  models = await startOpenAiServer();
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-stop-'));
  settings = {
    ...databaseSettings(database),
    DATA_DIR: dataDir,
    OPENAI_BASE_URL: models.baseUrl,
    CHAT_MODEL: 'stand-in',
  };
  ({ secret: key, projectId } = await runCli(['seed'], settings));
}, 120_000);
afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.kill()));
});
afterAll(async () => {
  await models?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(more: Record<string, string>): Promise<ServiceProcess> {
  const service = await startServiceProcess({ ...settings, ...more });
  started.push(service);
  return service;
}

function clientOf({ url }: ServiceProcess) {
  return restClient(`${url}/api/v1`, key);
}

const message = 'Which files can I upload?';

test('a shutdown lets a running stream finish, closes subscriptions and accepts no new requests', async () => {
  await start({ ROLE: 'worker' });
  const service = await start({ ROLE: 'api' });
  const { token } = await runCli(['token', '--role', 'service_role'], settings);
  const events = await subscribe(
    `${service.url}/graphql/stream`,
    token,
    'subscription ($id: ID!) { handoffInbox(projectId: $id) { cursor } }',
    { id: projectId },
  );
  await waitUntil(
    async () => {
      const page = await (await clientOf(service).get('/knowledge/documents')).json();
      return page.data[0]?.status === 'READY';
    },
    { timeoutMs: 20_000 },
  );
  const pause = Promise.withResolvers<void>();
  models.script({ after: pause.promise, deltas: ['PDF ', 'and more.'] });
  const stream = await streamChat(clientOf(service), { message });
  await stream.take(2);

  service.signal('SIGTERM');
  expect((await events.next())?.errors?.[0]?.extensions.code).toBe('UNAVAILABLE');
  await vi.waitFor(() => expect(fetch(`${service.url}/health/live`)).rejects.toThrow(), 15_000);
  pause.resolve();
  expect((await stream.readToEnd()).at(-1)).toMatchObject({
    type: 'done',
    content: 'PDF and more.',
  });
  expect(await service.exited).toBe(0);
}, 60_000);

test('an answer that exceeds the shutdown timeout ends with an error event', async () => {
  await start({ ROLE: 'worker' });
  const service = await start({ ROLE: 'api', STOP_GRACE_SECONDS: '1' });
  models.script({ deltas: ['PDF '], end: 'stall' });
  const stream = await streamChat(clientOf(service), { message });
  await stream.take(3);
  const stopped = service.stop();
  expect((await stream.readToEnd()).at(-1)).toMatchObject({ type: 'error', code: 'UNAVAILABLE' });
  expect(await stopped).toBe(0);
}, 60_000);

test('an unused connection does not delay the shutdown; a connection with a request in progress does', async () => {
  const service = await start({ ROLE: 'api' });
  const port = Number(new URL(service.url).port);
  const silent = await openConnection(port);
  const busy = await openConnection(port);
  busy.send('GET /health/live HTTP/1.1\r\n');
  // The response shows that the server has accepted both connections.
  await fetch(`${service.url}/health/live`);
  service.signal('SIGTERM');
  expect(await silent.responses()).toEqual([]);
  busy.send('Host: localhost\r\n\r\n');
  expect(await busy.responses()).toMatchObject([{ status: 200 }]);
  expect(await service.exited).toBe(0);
}, 20_000);

test('readiness reports the shutdown before it starts, and requests are still served in the meantime', async () => {
  const service = await start({ ROLE: 'api', STOP_DELAY_SECONDS: '3' });
  service.signal('SIGTERM');
  await vi.waitFor(async () => {
    const ready = await fetch(`${service.url}/health/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ status: 'stopping' });
    expect(ready.headers.get('Connection')).toBe('close');
  }, 15_000);
  expect((await clientOf(service).get('/knowledge/documents')).status).toBe(200);
  expect(await service.exited).toBe(0);
}, 60_000);

test('a second signal stops the process at once', async () => {
  const service = await start({ ROLE: 'api', STOP_DELAY_SECONDS: '60' });
  service.signal('SIGTERM');
  let code: number | null | undefined;
  void service.exited.then((exitCode) => {
    code = exitCode;
  });
  // Sends the signal repeatedly. A signal right after the first one may be a copy that npm forwards, so the service
  // ignores it.
  const signalAgain = () => {
    if (code === undefined) service.signal('SIGTERM');
    return code !== undefined;
  };
  await waitUntil(signalAgain, { intervalMs: 100 });
  expect(code).toBe(1);
}, 60_000);

test('a worker serves only health and metrics; another worker takes over its unfinished jobs', async () => {
  const api = await start({ ROLE: 'api' });
  const worker = await start({ ROLE: 'worker' });
  const ready = await fetch(`${worker.url}/health/ready`);
  expect(ready.status).toBe(200);
  expect(await (await fetch(`${worker.url}/metrics`)).text()).toContain('grounded_chat_');
  for (const path of ['/api/v1/usage', '/graphql']) {
    expect((await fetch(`${worker.url}${path}`)).status).toBe(404);
  }

  const content = Array.from({ length: 400 }, (_, n) => `Room ${n} has ${n} windows.`).join('\n\n');
  const made = await Promise.all(
    Array.from({ length: 12 }, async (_, n) =>
      (await clientOf(api).post('/knowledge/documents', { name: `${n}.txt`, content })).json(),
    ),
  );
  expect(await worker.stop()).toBe(0);
  await start({ ROLE: 'worker' });
  await waitUntil(
    async () => {
      const read = async ({ id }: { id: string }) =>
        (await (await clientOf(api).get(`/knowledge/documents/${id}`)).json()).status;
      return (await Promise.all(made.map(read))).every((status) => status === 'READY');
    },
    { timeoutMs: 60_000, intervalMs: 200 },
  );
}, 120_000);
