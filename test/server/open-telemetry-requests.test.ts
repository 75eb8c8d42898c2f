import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenTelemetry } from '../../src/server/observability/open-telemetry/start-open-telemetry.ts';
import { streamChat } from '../support/api/chat-stream.ts';
import { captureLog } from '../support/captured-log.ts';
import { type OpenAiServer, startOpenAiServer } from '../support/servers/openai-server.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../support/servers/otlp-receiver.ts';
import { receivedTrace, startTelemetry, traceIdOf } from '../support/servers/telemetry.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';
import { sharedDatabase } from '../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let models: OpenAiServer;
let receiver: OtlpReceiver;
let telemetry: OpenTelemetry;
const captured = captureLog();

beforeAll(async () => {
  [receiver, models] = await Promise.all([startOtlpReceiver(), startOpenAiServer()]);
  service = await startTestService({
    database: await sharedDatabase(),
    openAi: models.chatModelConfig,
    log: captured.log,
  });
  tenant = await service.createTenant();
  telemetry = await startTelemetry(receiver.endpoint, service.registry);
});

afterAll(async () => {
  await telemetry.stop();
  await service.stop();
  await Promise.all([receiver.close(), models.close()]);
});

const on = () => ({ receiver, telemetry });

test('log lines and the response name the trace', async () => {
  const client = await tenant.rest();
  const response = await client.get('/knowledge/documents');
  const [, traceId = '', spanId] = response.headers.get('traceresponse')?.split('-') ?? [];
  const [root] = await receivedTrace(on(), traceId, 'GET /api/v1/knowledge/documents');

  expect(traceId).toMatch(/^[\da-f]{32}$/);
  expect(root?.spanId).toHaveLength(16);
  await expect
    .poll(() => captured.lines().find((line) => line.msg === 'request' && line.traceId === traceId))
    .toMatchObject({ spanId, requestId: response.headers.get('x-request-id') });
});

test('a GraphQL operation has its name and type, and an error its code', async () => {
  const send = (query: string) =>
    fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ query }),
    });
  const token = await tenant.memberToken('OWNER');
  const traceId = traceIdOf(await send('query typeOnly { __typename }'));
  const spans = await receivedTrace(on(), traceId, 'POST /graphql');
  expect(spans.find(({ name }) => name === 'query typeOnly')?.attributes).toEqual({
    'graphql.operation.type': 'query',
    'graphql.operation.name': 'typeOnly',
  });

  const failed = traceIdOf(
    await send(`query missing { project(id: "${crypto.randomUUID()}") { id } }`),
  );
  const failedSpans = await receivedTrace(on(), failed, 'POST /graphql');
  expect(failedSpans.find(({ name }) => name === 'query missing')).toMatchObject({
    attributes: { 'graphql.operation.name': 'missing', 'error.type': 'NOT_FOUND' },
    status: 2,
  });
});

test('follows a trace that is not sampled, and starts a new one for a header that is not valid', async () => {
  const client = await tenant.rest();
  const get = (traceparent: string) =>
    client.send('/knowledge/documents', { headers: { traceparent } });
  const unsampled = crypto.randomUUID().replaceAll('-', '');
  const silent = await get(`00-${unsampled}-00f067aa0ba902b7-00`);
  expect(silent.headers.get('traceresponse')).toMatch(new RegExp(`^00-${unsampled}-.{16}-00$`));
  const renewed = await get(`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`);
  const route = 'GET /api/v1/knowledge/documents';
  const spans = await receivedTrace(on(), traceIdOf(renewed), route);
  expect(spans.find(({ name }) => name === route)?.parentSpanId).toBe('');
  expect(receiver.spans().filter(({ traceId }) => traceId === unsampled)).toEqual([]);
});

test('an answer whose client disconnects is stopped, and its request aborted', async () => {
  const { promise: after, resolve: release } = Promise.withResolvers<void>();
  models.script({ after });
  const client = await tenant.rest();
  const traceId = crypto.randomUUID().replaceAll('-', '');
  const send: typeof client.send = (path, init) => {
    const headers = new Headers(init.headers);
    headers.set('traceparent', `00-${traceId}-00f067aa0ba902b7-01`);
    return client.send(path, { ...init, headers });
  };
  const stream = await streamChat({ ...client, send }, { message: 'Hello' });
  await stream.take(1);
  stream.disconnect();
  await receivedTrace(on(), traceId, 'POST /api/v1/chat');
  const spans = await receivedTrace(on(), traceId, 'answer');
  release();

  const find = (name: string) => spans.find((span) => span.name === name);
  expect(find('POST /api/v1/chat')).toMatchObject({
    attributes: { 'grounded_chat.aborted': true },
    status: 0,
  });
  expect(find('answer')).toMatchObject({
    attributes: { 'grounded_chat.answer.status': 'STOPPED' },
    status: 0,
  });
  expect(find('chat stand-in')?.attributes).toMatchObject({ 'grounded_chat.model.call': 'reply' });
});
