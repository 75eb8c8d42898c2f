import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { streamChat } from '../support/api/chat-stream.ts';
import { restClient } from '../support/api/rest-client.ts';
import {
  createTestDatabase,
  databaseSettings,
  type TestDatabase,
} from '../support/database/database.ts';
import { runCli } from '../support/programs/run-cli.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';
import { freePort } from '../support/servers/free-port.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../support/servers/otlp-receiver.ts';
import { traceIdOf } from '../support/servers/telemetry.ts';
import { waitUntil } from '../support/wait-until.ts';

let database: TestDatabase;
let receiver: OtlpReceiver;
let folder: string;
let settings: Record<string, string>;
let key: string;
const started: ServiceProcess[] = [];

beforeAll(async () => {
  [database, receiver] = await Promise.all([createTestDatabase(), startOtlpReceiver()]);
  folder = await mkdtemp(join(tmpdir(), 'grounded-chat-telemetry-'));
  settings = { ...databaseSettings(database), DATA_DIR: folder };
  ({ secret: key } = await runCli(['seed'], settings));
}, 120_000);
afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.kill()));
});
afterAll(async () => {
  await receiver?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

async function start(more: Record<string, string>): Promise<ServiceProcess> {
  const service = await startServiceProcess({ ...settings, ...more });
  started.push(service);
  return service;
}

const clientOf = ({ url }: ServiceProcess) => restClient(`${url}/api/v1`, key);

/** Starts the service, and returns the addresses of the modules that it loads. */
async function startAndRecordModules(more: Record<string, string>) {
  const hook = join(folder, 'record-modules.mjs');
  const list = join(folder, `modules-${crypto.randomUUID()}.txt`);
  await writeFile(
    hook,
    `import { appendFileSync } from 'node:fs';
    import { registerHooks } from 'node:module';
    registerHooks({
      load(url, context, next) {
        appendFileSync(process.env.MODULE_LIST, url + '\\n');
        return next(url, context);
      },
    });`,
  );
  const service = await start({
    ...more,
    ...{ NODE_OPTIONS: `--import=${pathToFileURL(hook)}`, MODULE_LIST: list },
  });
  const modules = async () => (await readFile(list, 'utf8')).trim().split('\n');
  return { service, modules };
}

const isOfOpenTelemetry = (url: string) => /open-?telemetry|otlp/i.test(url);

test('loads nothing of OpenTelemetry unless a receiver is named', async () => {
  const off = await startAndRecordModules({ OTEL_SERVICE_NAME: 'shop' });
  const stream = await streamChat(clientOf(off.service), { message: 'Which files can I upload?' });
  await stream.readToEnd();
  const modules = await off.modules();
  expect(modules.length).toBeGreaterThan(5);
  expect(modules.filter(isOfOpenTelemetry)).toEqual([]);
  const response = await clientOf(off.service).get('/knowledge/documents');
  expect(response.headers.has('traceresponse')).toBe(false);

  const on = await startAndRecordModules({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint });
  expect((await on.modules()).filter(isOfOpenTelemetry)).not.toEqual([]);
  await clientOf(on.service).get('/knowledge/documents');
  await on.service.stop();
  expect(receiver.text()).toContain('GET /api/v1/knowledge/documents');
}, 120_000);

test('the trace of a job in a worker links to the request in another process', async () => {
  const telemetry = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    LOG_LEVEL: 'warn',
  };
  const api = await start({ ...telemetry, ROLE: 'api', OTEL_SERVICE_NAME: 'chat-api' });
  const worker = await start({ ...telemetry, ROLE: 'worker', OTEL_SERVICE_NAME: 'chat-worker' });
  const file = new File(['Ferries leave at nine.'], 'Ferries.txt', { type: 'text/plain' });
  const uploaded = await clientOf(api).upload('/knowledge/documents/upload', file);
  const { id } = await uploaded.json();
  await waitUntil(async () => {
    const { status } = await (await clientOf(api).get(`/knowledge/documents/${id}`)).json();
    return status === 'READY';
  });
  expect(await Promise.all([api.stop(), worker.stop()])).toEqual([0, 0]);

  const request = receiver.spans().find(({ name }) => name.endsWith('/documents/upload'));
  expect(request?.traceId).toBe(traceIdOf(uploaded));
  expect(request?.resource).toMatchObject({
    'service.name': 'chat-api',
    'deployment.environment.name': 'test',
  });
  const job = receiver
    .spans()
    .find(
      ({ name, linkedTraceIds }) =>
        name === 'process ingest-document' && linkedTraceIds.includes(request?.traceId ?? ''),
    );
  expect(job?.resource).toMatchObject({ 'service.name': 'chat-worker' });
  expect(receiver.metric('grounded_chat_ingestions_total')).not.toBeNull();
  const [queue] = receiver.metric('grounded_chat_queue_jobs') ?? [];
  expect(queue?.attributes).toMatchObject({ queue: expect.any(String), state: 'ready' });
  // Nothing is collected after its source was closed.
  for (const { errors } of [api, worker]) {
    expect(errors()).not.toContain('failed to read queue depths');
  }
}, 120_000);

test('a process whose receiver is down answers and stops', async () => {
  const service = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    LOG_LEVEL: 'warn',
  });
  const stream = await streamChat(clientOf(service), { message: 'Which files can I upload?' });
  expect((await stream.readToEnd()).at(-1)).toMatchObject({ type: 'done' });
  expect(await service.stop()).toBe(0);
  expect(service.errors()).toContain('stopped before all traces and metrics were sent');
}, 120_000);
