import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { OpenTelemetry } from '../../src/server/observability/open-telemetry/start-open-telemetry.ts';
import { joinDeltas, streamChat } from '../support/api/chat-stream.ts';
import { captureLog } from '../support/captured-log.ts';
import { addDocuments } from '../support/knowledge.ts';
import { freePort } from '../support/servers/free-port.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../support/servers/otlp-receiver.ts';
import { pathOf, receivedTrace, startTelemetry } from '../support/servers/telemetry.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';

const route = 'POST /api/v1/chat';
const question = 'How long is the Zanzibar warranty of a tent for quetzal@example.com?';
const secretTexts = ['Zanzibar', 'quetzal', 'Ouagadougou'];

let service: TestService;
let tenant: Tenant;
let models: OpenAiServer;
let reranker: OpenAiServer;
let receiver: OtlpReceiver;
let telemetry: OpenTelemetry | null = null;

beforeAll(async () => {
  [models, reranker, receiver] = await Promise.all([
    startOpenAiServer(),
    startOpenAiServer(),
    startOtlpReceiver(),
  ]);
  const { baseUrl } = models;
  service = await startTestService({
    openAi: { baseUrl, apiKey: null, chatModel: 'stand-in', embeddingModel: 'stand-in' },
    rerank: { baseUrl: reranker.baseUrl, apiKey: null, model: 'judge' },
  });
  tenant = await service.createTenant();
  await addDocuments(service, tenant.projectId, {
    'Tents.md': '# Warranty\n\nThe Zanzibar warranty of a tent is five years in Ouagadougou.',
    'Kayaks.md': '# Rental\n\nA kayak costs 30 euros per day at the lake.',
  });
});

afterEach(async () => {
  await telemetry?.stop();
  telemetry = null;
});

afterAll(async () => {
  await service.stop();
  await Promise.all([models.close(), reranker.close(), receiver.close()]);
});

async function turnOn(settings: { readonly capturesContent?: boolean } = {}) {
  telemetry = await startTelemetry(receiver.endpoint, service.registry, settings);
  return { receiver, telemetry };
}

/** Asks a question as a client that takes part in a trace. Returns the id of the trace and the answer. */
async function askInTrace(traceId: string): Promise<string> {
  const client = await tenant.rest();
  const send: typeof client.send = (path, init) => {
    const headers = new Headers(init.headers);
    headers.set('traceparent', `00-${traceId}-00f067aa0ba902b7-01`);
    return client.send(path, { ...init, headers });
  };
  const stream = await streamChat({ ...client, send }, { message: question });
  return joinDeltas(await stream.readToEnd());
}

function newTraceId(): string {
  return crypto.randomUUID().replaceAll('-', '');
}

describe('a streamed answer', () => {
  test('is one trace, from the request to the models and statements', async () => {
    const on = await turnOn();
    const traceId = newTraceId();
    const [sentBefore, rankedBefore] = [models.requests.length, reranker.requests.length];
    await askInTrace(traceId);
    const spans = await receivedTrace(on, traceId, route);

    const ids = new Set(spans.map(({ spanId }) => spanId));
    const [root, ...others] = spans.filter(({ parentSpanId }) => !ids.has(parentSpanId));
    expect(others).toEqual([]);
    expect(root).toMatchObject({ name: route, parentSpanId: '00f067aa0ba902b7', kind: 2 });
    const paths = new Set(spans.map((span) => pathOf(spans, span).join(' > ')));
    const answer = `${route} > subscription chat > answer`;
    for (const path of [
      `${answer} > answer START`,
      `${answer} > answer UNDERSTAND`,
      `${answer} > answer RETRIEVE > retrieval > embeddings stand-in`,
      `${answer} > answer RETRIEVE > retrieval > rerank judge`,
      `${answer} > answer RETRIEVE > retrieval > SELECT`,
      `${answer} > answer READ`,
      `${answer} > answer DECIDE`,
      `${answer} > answer WRITE > chat stand-in`,
      `${answer} > answer JUDGE`,
    ]) {
      expect(paths).toContain(path);
    }
    const sent = [
      ...models.requests.slice(sentBefore),
      ...reranker.requests.slice(rankedBefore),
    ].map(({ path, headers }) => `${path} ${String(headers.traceparent).split('-')[1]}`);
    expect(new Set(sent)).toEqual(
      new Set([
        `/v1/embeddings ${traceId}`,
        `/v1/rerank ${traceId}`,
        `/v1/chat/completions ${traceId}`,
      ]),
    );
  });

  test('has the attributes of the conventions, but no statement values', async () => {
    const on = await turnOn();
    const traceId = newTraceId();
    await askInTrace(traceId);
    const spans = await receivedTrace(on, traceId, route);
    const attributesOf = (name: string) => spans.find((span) => span.name === name)?.attributes;

    expect(attributesOf(route)).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/v1/chat',
      'http.response.status_code': 200,
    });
    const address = new URL(models.baseUrl);
    expect(attributesOf('chat stand-in')).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'stand-in',
      'gen_ai.response.model': 'stand-in',
      'gen_ai.response.finish_reasons': expect.anything(),
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
      'grounded_chat.model.call': 'answer',
      'server.address': address.hostname,
      'server.port': Number(address.port),
    });
    const statements = spans.filter(({ attributes }) => 'db.query.text' in attributes);
    expect(statements.length).toBeGreaterThan(0);
    expect(statements[0]?.attributes).toMatchObject({ 'db.system.name': 'postgresql' });
    expect(spans[0]?.resource).toMatchObject({ 'service.name': 'grounded-chat' });
  });

  test('exports no text of questions, answers or documents', async () => {
    const on = await turnOn();
    const traceId = newTraceId();
    const answer = await askInTrace(traceId);
    await receivedTrace(on, traceId, route);

    expect(answer).toContain('Zanzibar');
    for (const text of secretTexts) expect(receiver.text()).not.toContain(text);
  });

  test('exports question and answer if the operator allows it', async () => {
    const on = await turnOn({ capturesContent: true });
    const traceId = newTraceId();
    const answer = await askInTrace(traceId);
    const spans = await receivedTrace(on, traceId, route);

    const { attributes } = spans.find(({ name }) => name === 'chat stand-in') ?? {};
    expect(JSON.parse(String(attributes?.['gen_ai.input.messages']))).toEqual([
      { role: 'user', parts: [{ type: 'text', content: question }] },
    ]);
    expect(attributes?.['gen_ai.output.messages']).toContain(answer.slice(0, 20));
  });
});

test.each([
  [
    'POST /v1/chat/completions',
    '/v1/chat/completions',
    { model: 'grounded', messages: [{ role: 'user', content: question }] },
  ],
  ['POST /api/v1/chat', '/api/v1/chat', { message: question }],
  [
    'POST /mcp/',
    '/mcp',
    {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'search', arguments: { query: question } },
    },
  ],
])('a search through %s belongs to the trace of its request', async (root, path, body) => {
  const on = await turnOn();
  const traceId = newTraceId();
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await tenant.key()}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    },
    body: JSON.stringify(body),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  const spans = await receivedTrace(on, traceId, root);
  const search = spans.find(({ name }) => name === 'retrieval');
  expect(search && pathOf(spans, search)[0]).toBe(root);
});

test('an answer whose model fails has failed, with its step', async () => {
  const on = await turnOn();
  const traceId = newTraceId();
  models.script({}, { status: 400, body: '{"error":{"message":"Zanzibar is not allowed"}}' });
  await askInTrace(traceId);
  const spans = await receivedTrace(on, traceId, route);
  const failed = spans.filter(({ status }) => status === 2);
  expect(new Set(failed.map(({ name }) => name))).toEqual(
    new Set(['chat stand-in', 'answer', 'answer JUDGE']),
  );
  expect(failed.find(({ name }) => name === 'chat stand-in')?.attributes).toMatchObject({
    'error.type': 'MODEL_ERROR',
  });
});

test('metrics have the same values as at /metrics', async () => {
  const { telemetry } = await turnOn();
  await askInTrace(newTraceId());
  const text = await (await fetch(`${service.url}/metrics`)).text();
  await telemetry.flush();

  const [, tokens] =
    /^grounded_chat_model_tokens_total\{model="stand-in",kind="input"\} (\d+)$/m.exec(text) ?? [];
  const points = receiver.metric('grounded_chat_model_tokens_total');
  expect(points?.find(({ attributes }) => attributes.kind === 'input')).toMatchObject({
    asDouble: Number(tokens),
  });
  const [, calls] =
    /^grounded_chat_model_call_duration_seconds_count\{operation="answer",model="stand-in"\} (\d+)$/m.exec(
      text,
    ) ?? [];
  const histogram = receiver
    .metric('grounded_chat_model_call_duration_seconds')
    ?.find(({ attributes }) => attributes.operation === 'answer');
  expect(histogram).toMatchObject({ count: Number(calls) });
  const { bucketCounts = [], explicitBounds = [] } = histogram ?? {};
  expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
  expect(bucketCounts.reduce((sum, count) => sum + count, 0)).toBe(Number(calls));
});

test('answers and stops while the receiver is down, and logs few lines', async () => {
  const { log, lines } = captureLog();
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '200');
  const down = `http://127.0.0.1:${await freePort()}`;
  telemetry = await startTelemetry(down, service.registry, { log });
  for (let n = 0; n < 3; n += 1) {
    expect(await askInTrace(newTraceId())).toContain('Zanzibar');
    await telemetry.flush();
  }
  await askInTrace(newTraceId());
  await telemetry.stop();

  expect(lines().map(({ level, msg }) => `${level}: ${msg}`)).toEqual([
    'warn: failed to send traces or metrics',
    'warn: stopped before all traces and metrics were sent',
  ]);
});
