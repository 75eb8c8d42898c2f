import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restClient } from '../support/api/rest-client.ts';
import {
  createTestDatabase,
  databaseSettings,
  serverUrl,
  type TestDatabase,
} from '../support/database/database.ts';
import { runCli } from '../support/programs/run-cli.ts';
import { type ServiceProcess, startServiceProcess } from '../support/programs/service-process.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const questionCount = 200;
const kills = 2;

let dataDir: string;
let database: TestDatabase | null = null;
let models: OpenAiServer;
let service: ServiceProcess | undefined;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-crash-'));
  database = serverUrl() === undefined ? null : await createTestDatabase();
  models = await startOpenAiServer();
});
afterAll(async () => {
  await service?.kill();
  await models?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

test(`a run of ${questionCount} questions survives ${kills} kills, and a kill repeats at most one question`, {
  timeout: 180_000,
}, async () => {
  const settings = {
    DATA_DIR: dataDir,
    OPENAI_BASE_URL: models.baseUrl,
    CHAT_MODEL: 'stand-in',
    ...(database && databaseSettings(database)),
  };
  service = await startServiceProcess(settings);
  const demo = service.key ?? (await runCli(['seed'], settings)).secret;
  const { secret } = await runCli(['keys', 'create', '--scopes', scopes], settings);
  const clientOf = ({ url }: ServiceProcess, key: string) => restClient(`${url}/api/v1`, key);
  const document = { name: 'sauna.md', content: 'The sauna opens at noon on every day.' };
  await clientOf(service, demo).post('/knowledge/documents', document);
  await waitUntil(async () => {
    if (service === undefined) return false;
    const { data } = await (await clientOf(service, demo).get('/knowledge/documents')).json();
    return data.every(({ status }: { status: string }) => status === 'READY');
  });
  const questions = Array.from({ length: questionCount }, (_, n) => ({
    question: `When does the sauna open on day ${n + 1}?`,
  }));
  let client = clientOf(service, secret);
  const set = await (await client.post('/evaluation/sets', { name: 'Days', questions })).json();
  const { id } = await (await client.post('/evaluation/runs', { setId: set.id })).json();
  const read = async () => (await client.get(`/evaluation/runs/${id}`)).json();
  for (let kill = 1; kill <= kills; kill += 1) {
    const wanted = (kill * questionCount) / (kills + 2);
    await waitUntil(async () => (await read()).progress.done >= wanted, { timeoutMs: 60_000 });
    await service.kill();
    service = await startServiceProcess(settings);
    client = clientOf(service, secret);
  }
  await waitUntil(async () => (await read()).status === 'DONE', { timeoutMs: 90_000 });
  expect(await read()).toMatchObject({ progress: { done: questionCount, total: questionCount } });
  const asked = models.requests.flatMap(({ body }) =>
    [...JSON.stringify(body).matchAll(/open on day (\d+)\?/g)].map(([, day]) => Number(day)),
  );
  const counts = new Map<number, number>();
  for (const day of asked) counts.set(day, (counts.get(day) ?? 0) + 1);
  expect(counts.size).toBe(questionCount);
  expect([...counts.values()].filter((count) => count > 1).length).toBeLessThanOrEqual(kills);
});

const scopes = 'evaluation:read,evaluation:write';
