import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinDeltas, streamChat } from '../../support/api/chat-stream.ts';
import { type GraphqlClient, graphqlClient } from '../../support/api/graphql-client.ts';
import { type RestClient, restClient } from '../../support/api/rest-client.ts';
import {
  createTestDatabase,
  databaseSettings,
  type TestDatabase,
} from '../../support/database/database.ts';
import { runCli } from '../../support/programs/run-cli.ts';
import {
  type ServiceProcess,
  startServiceProcess,
} from '../../support/programs/service-process.ts';
import { type OpenAiServer, startOpenAiServer } from '../../support/servers/openai-server.ts';
import { waitUntil } from '../../support/wait-until.ts';

const monthlyMessages = 4;
const question = 'How long do I have to send an item back?';
const deltas = Array.from({ length: 300 }, (_, n) => `word${n} `);
const delayMs = 100;

let database: TestDatabase;
let models: OpenAiServer;
let dataDir: string;
/** Two processes of the service on one database. The test kills the second one. */
let nodes: readonly [ServiceProcess, ServiceProcess];
let operator: GraphqlClient;
let survivor: RestClient;
let killed: RestClient;

beforeAll(async () => {
  [database, models] = await Promise.all([createTestDatabase(), startOpenAiServer()]);
  dataDir = await mkdtemp(join(tmpdir(), 'grounded-chat-crash-'));
  const settings = {
    ...databaseSettings(database),
    DATA_DIR: dataDir,
    OPENAI_BASE_URL: models.baseUrl,
    CHAT_MODEL: 'stand-in',
  };
  nodes = await Promise.all([startServiceProcess(settings), startServiceProcess(settings)]);
  const { token } = await runCli(['token', '--role', 'service_role'], settings);
  operator = graphqlClient(nodes[0].url, token);
  const secret = await makeKey();
  survivor = restClient(`${nodes[0].url}/api/v1`, secret);
  killed = restClient(`${nodes[1].url}/api/v1`, secret);
  await addDocument();
}, 180_000);

afterAll(async () => {
  await Promise.all(nodes?.map((node) => node.kill()) ?? []);
  await models?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

test('the tokens of a stopped and of a failed answer are counted, regardless of the node', async () => {
  const before = await usage();
  models.script({ deltas, delayMs });
  const stopped = await streamChat(killed, { message: question });
  const [meta] = await stopped.take(12);
  expect((await survivor.post(`/chat/${meta?.messageId}/stop`, {})).status).toBe(200);
  const rest = await stopped.readToEnd();
  expect(rest.at(-1)?.type).toBe('done');
  const afterStop = await usage();
  expect(afterStop.tokens.output - before.tokens.output).toBeGreaterThanOrEqual(10);
  expect(afterStop.tokens.input).toBeGreaterThan(before.tokens.input);
  expect(afterStop.messages.used - before.messages.used).toBe(1);

  models.script({ deltas: deltas.slice(0, 20), finishReason: null, end: 'cut' });
  const failed = await (await streamChat(killed, { message: question })).readToEnd();
  expect(failed.at(-1)?.type).toBe('error');
  const afterFailure = await usage();
  expect(afterFailure.tokens.output - afterStop.tokens.output).toBeGreaterThanOrEqual(10);
  expect(afterFailure.messages.used).toBe(afterStop.messages.used);
}, 60_000);

test('after kill -9 the other node has the text that was sent, the free message and the tokens', async () => {
  const before = await usage();
  expect(before.messages.remaining).toBeGreaterThan(0);
  const free = before.messages.remaining;
  models.script(...Array.from({ length: free }, () => ({ deltas, delayMs })));
  const streams = await Promise.all(
    Array.from({ length: free }, () => streamChat(killed, { message: question })),
  );
  expect((await survivor.post('/chat', { message: question })).status).toBe(402);

  const seen = await Promise.all(
    streams.map(async (stream) => {
      const events = await stream.take(42);
      return { conversationId: events[0]?.conversationId, text: joinDeltas(events) };
    }),
  );
  await nodes[1].kill();
  const killedAt = performance.now();
  await expect
    .poll(async () => (await usage()).messages.remaining, { timeout: 60_000, interval: 500 })
    .toBe(free);
  const seconds = (performance.now() - killedAt) / 1_000;

  const lost: number[] = [];
  for (const { conversationId, text } of seen) {
    const transcript = await (await survivor.get(`/conversations/${conversationId}`)).json();
    const [, answer] = transcript.messages;
    expect(answer).toMatchObject({ role: 'ASSISTANT', status: 'FAILED' });
    lost.push(Math.max(0, countWords(text) - countWords(answer.content)));
    expect(deltas.join('')).toContain(answer.content);
  }
  console.info(
    `free again after ${seconds.toFixed(1)} s; lost of each answer: ${lost.map((words) => (words * delayMs) / 1_000)} s`,
  );
  // The service stores the text every second, and less often on a busy machine. So a crash loses at most 3 seconds.
  for (const words of lost) expect(words * delayMs).toBeLessThanOrEqual(3_000);
  const after = await usage();
  expect(after.tokens.output - before.tokens.output).toBeGreaterThanOrEqual(10 * free);
  expect(after.tokens.input).toBeGreaterThan(before.tokens.input);
  models.script({ deltas: ['Thirty days.'] });
  expect((await survivor.post('/chat', { message: question })).status).toBe(200);
}, 120_000);

function countWords(text: string): number {
  return text.match(/word\d+/g)?.length ?? 0;
}

async function usage() {
  return (await survivor.get('/usage')).json();
}

async function makeKey(): Promise<string> {
  const { createOrganization } = await operator.data<{ createOrganization: { id: string } }>(
    'mutation { createOrganization(input: { name: "Harbour", plan: "scale" }) { id } }',
  );
  const organizationId = createOrganization.id;
  await operator.data(
    'mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { id } }',
    { input: { id: organizationId, limits: { monthlyMessages } } },
  );
  const { createProject } = await operator.data<{ createProject: { id: string } }>(
    'mutation ($input: CreateProjectInput!) { createProject(input: $input) { id } }',
    { input: { organizationId, name: 'Front desk' } },
  );
  const scopes = [
    'CHAT',
    'KNOWLEDGE_READ',
    'KNOWLEDGE_WRITE',
    'CONVERSATIONS_READ',
    'ANALYTICS_READ',
  ];
  const { createApiKey } = await operator.data<{ createApiKey: { secret: string } }>(
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
    { input: { organizationId, projectId: createProject.id, name: 'Key', scopes } },
  );
  return createApiKey.secret;
}

async function addDocument(): Promise<void> {
  const content = 'You can send an item back within thirty days. Keep the receipt.';
  await survivor.post('/knowledge/documents', { name: 'returns', content });
  const isReady = async () => {
    const { data } = await (await survivor.get('/knowledge/documents')).json();
    return data.length > 0 && data.every(({ status }: { status: string }) => status === 'READY');
  };
  await waitUntil(isReady, { timeoutMs: 60_000 });
}
