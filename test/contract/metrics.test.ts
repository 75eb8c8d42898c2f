import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDocument } from '../../src/domain/knowledge/create-document.ts';
import { readUntil } from '../support/api/read-until.ts';
import { type RestClient, restClient } from '../support/api/rest-client.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { addDocuments, waitForDocuments } from '../support/knowledge.ts';
import { type Labels, parseScrape, type Scrape } from '../support/prometheus.ts';
import { type ProxiedDatabase, proxyDatabase } from '../support/servers/database-proxy.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

let models: OpenAiServer;
let service: TestService;
let tenant: Tenant;
let key: string;
let client: RestClient;

beforeAll(async () => {
  models = await startOpenAiServer();
  service = await startTestService({
    openAi: {
      baseUrl: models.baseUrl,
      apiKey: null,
      chatModel: 'stand-in',
      embeddingModel: 'hashes',
    },
  });
  tenant = await service.createTenant();
  key = await tenant.key();
  client = restClient(`${service.url}/api/v1`, key);
  await addDocuments(service, tenant.projectId, {
    'Check-out.md': '# Check-out\n\nCheck-out is until 11:00. Late check-out costs 20 euros.',
  });
});
afterAll(async () => {
  await service?.stop();
  await models?.close();
});

async function scrape(url = service.url): Promise<Scrape> {
  const response = await fetch(`${url}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return parseScrape(await response.text());
}

let before: Scrape;
beforeEach(async () => {
  before = await scrape();
});

/**
 * Returns the increase of a counter since the start of the test. Waits until the increase is `atLeast`, because the
 * service counts a request when its response has closed. That is slightly after the client has received the response.
 */
async function waitForIncrease(name: string, labels: Labels, atLeast = 1): Promise<number> {
  const risen = async () => (await scrape()).value(name, labels) - before.value(name, labels);
  await waitUntil(async () => (await risen()) >= atLeast);
  return risen();
}

const question = { message: 'Until when is check-out?' };

test('the output is well-formed and contains the process metrics', async () => {
  await client.post('/chat', question);
  const { families } = await scrape();
  expect(Object.fromEntries(families)).toMatchObject({
    http_requests_total: 'counter',
    http_request_duration_seconds: 'histogram',
    grounded_chat_active_streams: 'gauge',
    grounded_chat_ingestions_total: 'counter',
    grounded_chat_ingestion_duration_seconds: 'histogram',
    grounded_chat_queue_jobs: 'gauge',
    grounded_chat_model_calls_total: 'counter',
    grounded_chat_model_call_duration_seconds: 'histogram',
    grounded_chat_model_first_text_seconds: 'histogram',
    grounded_chat_model_tokens_total: 'counter',
    process_cpu_seconds_total: 'counter',
    nodejs_eventloop_lag_seconds: 'gauge',
  });
});

describe('requests', () => {
  test('are counted and timed once each, by route pattern', async () => {
    for (let n = 0; n < 3; n++) {
      await client.get(`/knowledge/documents/01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e2${n}`);
    }
    await client.get('/knowledge/documents');
    await fetch(`${service.url}/api/v1/usage`);
    await fetch(`${service.url}/graphql?query={__typename}`);
    for (const path of ['inbox', 'icon.svg', 'assets/none.js']) {
      await fetch(`${service.url}/dashboard/${path}`);
    }

    const route = '/api/v1/knowledge/documents';
    const expected: [Labels, number][] = [
      [{ method: 'GET', route: `${route}/:documentId`, status: '404' }, 3],
      [{ method: 'GET', route, status: '200' }, 1],
      [{ method: 'GET', route: '/api/v1/usage', status: '401' }, 1],
      [{ method: 'GET', route: '/graphql', status: '200' }, 1],
      [{ method: 'GET', route: '/dashboard/{*path}', status: '200' }, 2],
      [{ method: 'GET', route: '/dashboard/assets{/*file}', status: '404' }, 1],
    ];
    for (const [labels, count] of expected) {
      expect(await waitForIncrease('http_requests_total', labels, count)).toBe(count);
      expect(await waitForIncrease('http_request_duration_seconds_count', labels, count)).toBe(
        count,
      );
    }
  });

  test('to unknown paths share one series', async () => {
    await fetch(`${service.url}/nothing`);
    await waitForIncrease('http_requests_total', unknownGet);
    const series = (await scrape()).series('http_requests_total').length;
    const paths = [
      ...Array.from({ length: 200 }, (_, n) => `/${n}/API/v${n}?q=${n}`),
      ...['/API/V1/usage', '/Graphql', '/api/v1//usage', '/health/x', '/metrics/x'],
    ];
    for (const path of paths) await (await fetch(`${service.url}${path}`)).text();
    const asked = paths.length + 1;
    expect(await waitForIncrease('http_requests_total', unknownGet, asked)).toBe(asked);
    expect((await scrape()).series('http_requests_total')).toHaveLength(series);
  }, 60_000);
});

const unknownGet = { method: 'GET', route: 'unknown', status: '404' };

describe('models', () => {
  test('are counted by operation and outcome, with the tokens they used', async () => {
    const answer = { operation: 'answer', model: 'stand-in', outcome: 'succeeded' };
    const asked = models.requests.length;
    await client.post('/chat', question);
    expect(await waitForIncrease('grounded_chat_model_calls_total', answer)).toBe(1);
    expect(
      await waitForIncrease('grounded_chat_model_first_text_seconds_count', { model: 'stand-in' }),
    ).toBe(1);
    const embed = { operation: 'embed', model: 'hashes' };
    expect(await waitForIncrease('grounded_chat_model_call_duration_seconds_count', embed)).toBe(1);

    const [embedded, answered] = models.requests.slice(asked);
    const words = [embedded?.body.input].flat().join(' ').split(/\s+/).length;
    const tokensOf = (model: string, kind: string) =>
      waitForIncrease('grounded_chat_model_tokens_total', { model, kind });
    expect(await tokensOf('hashes', 'embedding')).toBe(words);
    const prompt = JSON.stringify(answered?.body.messages).length;
    expect(await tokensOf('stand-in', 'input')).toBe(Math.ceil(prompt / 4));
    expect(await tokensOf('stand-in', 'output')).toBeGreaterThan(0);
  });

  test('that fail are counted as failed, and their callers are still served', async () => {
    const { conversationId } = await (await client.post('/chat', question)).json();
    models.script({ status: 400, body: '{}' }, {}, { status: 400, body: '{}' });
    const response = await client.post('/chat', { ...question, conversationId });
    expect(response.status).toBe(502);
    for (const operation of ['rewrite', 'answer']) {
      const failed = { operation, model: 'stand-in', outcome: 'failed' };
      expect(await waitForIncrease('grounded_chat_model_calls_total', failed)).toBe(1);
    }
  });

  test('that stop because the client disconnected are counted as stopped, and the stream as closed', async () => {
    models.script({}, { deltas: ['Until ', '11:00 '], end: 'stall' });
    const leaving = new AbortController();
    const response = await client.send('/chat', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...question, stream: true }),
      signal: leaving.signal,
    });
    await readUntil(response, '"delta"');
    const route = { route: '/api/v1/chat' };
    expect((await scrape()).value('grounded_chat_active_streams', route)).toBe(1);
    leaving.abort();
    const stopped = { operation: 'answer', model: 'stand-in', outcome: 'stopped' };
    expect(await waitForIncrease('grounded_chat_model_calls_total', stopped)).toBe(1);
    await waitUntil(
      async () => (await scrape()).value('grounded_chat_active_streams', route) === 0,
    );
  });
});

test('ingestions are counted by outcome: ready, failed and retried', async () => {
  const made = await addDocuments(service, tenant.projectId, { 'A.md': 'One.', 'B.md': 'Two.' });
  expect(made.map(({ status }) => status)).toEqual(['READY', 'READY']);
  expect(await waitForIncrease('grounded_chat_ingestions_total', { outcome: 'ready' }, 2)).toBe(2);
  const durations = 'grounded_chat_ingestion_duration_seconds_count';
  expect(await waitForIncrease(durations, { outcome: 'ready' }, 2)).toBe(2);

  const broken = await client.upload(
    '/knowledge/documents/upload',
    new File(['%PDF-1.7 and nothing else'], 'Broken.pdf'),
  );
  const { id } = await broken.json();
  expect(await waitForDocuments(service, tenant.projectId, [id])).toMatchObject([
    { status: 'FAILED' },
  ]);
  expect(await waitForIncrease('grounded_chat_ingestions_total', { outcome: 'failed' })).toBe(1);

  // The service treats a wrong key of the model server as an outage, so the document waits for half a minute.
  models.script({ status: 401, body: '{}' });
  await client.post('/knowledge/documents', { name: 'C.md', content: 'Three.' });
  expect(await waitForIncrease('grounded_chat_ingestions_total', { outcome: 'retried' })).toBe(1);
}, 60_000);

test('a model of an earlier configuration is measured like the configured one', async () => {
  const later = await startTestService({
    database: service.database,
    isWorker: false,
    openAi: {
      baseUrl: models.baseUrl,
      apiKey: null,
      chatModel: 'stand-in',
      embeddingModel: 'hashes-2',
    },
  });
  await restClient(`${later.url}/api/v1`, key).post('/knowledge/search', { query: 'check-out' });
  const labels = { operation: 'embed', model: 'hashes', outcome: 'succeeded' };
  expect((await scrape(later.url)).value('grounded_chat_model_calls_total', labels)).toBe(1);
  await later.stop();
});

describe('a separate service', () => {
  let database: ProxiedDatabase;
  let idle: TestService;

  beforeAll(async () => {
    database = await proxyDatabase(await createTestDatabase());
    idle = await startTestService({ database, isWorker: false });
  });
  afterAll(async () => {
    await idle?.stop();
    await database?.drop();
  });

  test('reports its own number of waiting jobs, not that of another service in the same process', async () => {
    const { projectId } = await idle.createTenant();
    for (const name of ['1.md', '2.md', '3.md']) {
      await createDocument(idle.system, { projectId, name, content: 'Text.' });
    }
    const scraped = await scrape(idle.url);
    const depthOf = (queue: string, state: string) =>
      scraped.value('grounded_chat_queue_jobs', { queue, state });
    expect(depthOf('ingest-document', 'ready')).toBe(3);
    expect(depthOf('ingest-document', 'active')).toBe(0);
    expect(scraped.series('grounded_chat_queue_jobs')).toContainEqual({
      queue: 'remove-file',
      state: 'failed',
    });
    expect(scraped.series('grounded_chat_model_calls_total')).toEqual([]);
  });

  test('reports metrics while the database hangs, except for the queues', async () => {
    const fresh = await startTestService({ database, isWorker: false });
    database.hang();
    const scraped = await scrape(fresh.url);
    expect(scraped.series('grounded_chat_queue_jobs')).toEqual([]);
    expect(scraped.families.has('process_cpu_seconds_total')).toBe(true);
    database.restore();
    await waitUntil(
      async () => (await scrape(fresh.url)).series('grounded_chat_queue_jobs').length > 0,
      { timeoutMs: 40_000 },
    );
    await fresh.stop();
  }, 60_000);
});
