import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { streamChat } from '../support/api/chat-stream.ts';
import { expectErrorBody, type RestClient } from '../support/api/rest-client.ts';
import { subscribe } from '../support/api/subscription.ts';
import { makeWidget, siteOrigin, visitorClient } from '../support/api/visitor-client.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { addDocuments, waitForDocuments } from '../support/knowledge.ts';
import { type ProxiedDatabase, proxyDatabase } from '../support/servers/database-proxy.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

let models: OpenAiServer;
let database: ProxiedDatabase;
let service: TestService;
let tenant: Tenant;
let client: RestClient;
let token: string;
let publishableKey: string;

beforeAll(async () => {
  models = await startOpenAiServer();
  database = await proxyDatabase(await createTestDatabase());
  service = await startTestService({
    database,
    statementTimeoutMs: 500,
    openAi: models.chatModelConfig,
  });
  tenant = await service.createTenant();
  client = await tenant.rest();
  token = await service.token({ role: 'service_role' });
  publishableKey = await makeWidget(service, tenant.projectId);
  await addDocuments(service, tenant.projectId, { 'Check-out.md': 'Check-out is until 11:00.' });
});
afterAll(async () => {
  await service?.stop();
  await database?.drop();
  await models?.close();
});

const message = 'Until when is check-out?';
const id = '01980a3c-0000-7000-8000-000000000000';
const calls: [string, () => Promise<Response>][] = [
  ['a question', () => client.post('/chat', { message })],
  ['a streamed question', () => client.post('/chat', { message, stream: true })],
  ['a list of documents', () => client.get('/knowledge/documents')],
  ['a new document', () => client.post('/knowledge/documents', { name: 'A', content: 'B' })],
  ['an upload', () => client.upload('/knowledge/documents/upload', new File(['C'], 'c.txt'))],
  ['a deletion', () => client.delete(`/knowledge/documents/${id}`)],
  ['a search', () => client.post('/knowledge/search', { query: 'check-out' })],
  ['a list of conversations', () => client.get('/conversations')],
  ['a transcript', () => client.get(`/conversations/${id}`)],
  ['a handoff', () => client.post('/handoff', { conversationId: id })],
  ['the usage', () => client.get('/usage')],
];

async function isReady(): Promise<boolean> {
  const response = await fetch(`${service.url}/health/ready`);
  return response.status === 200;
}

const losses: [string, 'cut' | 'hang'][] = [
  ['is gone', 'cut'],
  // Pending statements receive no response. They fail only when the statement timeout ends.
  ['says nothing more', 'hang'],
];

describe.each(losses)('a database that %s', (_what, loss) => {
  test('makes every call return 503 with Retry-After, and the service recovers without a restart', async () => {
    await waitUntil(isReady, { timeoutMs: 30_000 });
    database[loss]();
    await Promise.all(
      calls.map(async ([what, send]) => {
        const response = await send();
        expect(response.headers.get('Retry-After'), what).toBe('2');
        expect(await expectErrorBody(Promise.resolve(response)), what).toMatchObject({
          statusCode: 503,
          code: 'UNAVAILABLE',
        });
      }),
    );
    const answer = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: `{ project(id: "${tenant.projectId}") { name } }` }),
    });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('Retry-After')).toBe('2');
    expect((await answer.json()).errors).toEqual([
      expect.objectContaining({
        extensions: expect.objectContaining({ code: 'UNAVAILABLE', retryable: true }),
      }),
    ]);
    expect(await isReady()).toBe(false);

    database.restore();
    await waitUntil(isReady, { intervalMs: 100 });
    const made = await client.post('/knowledge/documents', { name: 'After', content: 'All well.' });
    expect(made.status).toBe(201);
    const [document] = await waitForDocuments(service, tenant.projectId, [(await made.json()).id]);
    expect(document?.status).toBe('READY');
    // Calls that wait for a new connection take longest. Each waits 10 s, and all of them wait at the same time.
  }, 90_000);

  test('makes widget requests return 503, which is retryable, and not 403', async () => {
    await waitUntil(isReady, { timeoutMs: 30_000 });
    database[loss]();
    const page = visitorClient(service, publishableKey);
    const [preflight, answer] = await Promise.all([page.preflight('visit'), page.post('visit')]);
    expect([preflight.status, answer.status]).toEqual([204, 503]);
    for (const { headers } of [preflight, answer]) {
      expect(headers.get('Access-Control-Allow-Origin')).toBe(siteOrigin);
    }
    database.restore();
  }, 60_000);

  test('ends streams with an error event, and subscribers resume where they were', async () => {
    await waitUntil(isReady, { timeoutMs: 30_000 });
    const inbox =
      'subscription ($id: ID!, $after: String) { handoffInbox(projectId: $id, after: $after) { cursor type } }';
    const watch = (after: string | null) =>
      subscribe<{ handoffInbox: { cursor: string; type: string } }>(
        `${service.url}/graphql/stream`,
        token,
        inbox,
        {
          id: tenant.projectId,
          after,
        },
      );
    const events = await watch(null);
    await requestHandoff();
    const [first] = await events.take(1);

    const pause = Promise.withResolvers<void>();
    models.script({ after: pause.promise, deltas: ['Until ', '11:00.'] });
    const stream = await streamChat(client, { message });
    await stream.take(2);
    database[loss]();
    pause.resolve();
    expect((await stream.readToEnd()).at(-1)).toMatchObject({
      type: 'error',
      code: 'UNAVAILABLE',
      retryable: true,
    });
    database.restore();
    await waitUntil(isReady, { timeoutMs: 30_000, intervalMs: 100 });

    await requestHandoff();
    events.disconnect();
    const goneOn = await watch(first?.handoffInbox.cursor ?? null);
    const [second] = await goneOn.take(1);
    goneOn.disconnect();
    expect(second?.handoffInbox.type).toBe('REQUESTED');
  }, 120_000);
});

async function requestHandoff(): Promise<void> {
  const { conversationId } = await (await client.post('/chat', { message })).json();
  expect((await client.post('/handoff', { conversationId })).status).toBe(201);
}
