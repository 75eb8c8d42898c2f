import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import OpenAI, { APIError, RateLimitError } from 'openai';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { restClient } from '../support/api/rest-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { OpenAiServer } from '../support/servers/openai-server.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { startServiceWithModel } from '../support/service-with-model.ts';

// MCP and the interface for OpenAI's clients enforce the limits of the REST API. They report exceeded limits and
// failures of the model.

let models: OpenAiServer;
let service: TestService;
/** A key without limits. Its project contains one document. */
let key: string;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
  const tenant = await service.createTenant();
  await addDocuments(service, tenant.projectId, { 'Check-out': 'Check-out is until 11:00.' });
  key = await tenant.key();
});
afterAll(() => service?.stop());

const question = 'Until when is check-out?';
const ask = {
  model: 'grounded',
  messages: [{ role: 'user' as const, content: question }],
};

async function createLimitedTenant(limits: {
  readonly requestsPerMinute?: number;
  readonly monthlyMessages?: number;
}): Promise<Tenant> {
  const tenant = await service.createTenant();
  const where = { id: tenant.organizationId };
  await service.system.db.organization.update({ where, data: limits });
  return tenant;
}

const openAi = (apiKey: string) =>
  new OpenAI({ apiKey, baseURL: `${service.url}/v1`, maxRetries: 0 });

async function connectMcp(key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }),
  );
  onTestFinished(() => client.close());
  return client;
}

test('a key has one rate limit for REST, /v1 and /mcp', async () => {
  const tenant = await createLimitedTenant({ requestsPerMinute: 3 });
  const key = await tenant.key();
  const mcp = await fetchMcp(key);
  expect([mcp.status, mcp.headers.get('RateLimit')]).toEqual([200, expect.stringMatching(/r=2;/)]);
  await openAi(key).models.list();
  const rest = await restClient(`${service.url}/api/v1`, key).get('/usage');
  expect(rest.headers.get('RateLimit')).toMatch(/r=0;/);

  const refused = await fetchMcp(key);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED' });
  const error = await openAi(key)
    .chat.completions.create(ask)
    .catch((error) => error);
  expect(error).toBeInstanceOf(RateLimitError);
  expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded', type: 'requests' });
  expect(Number(error.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(error.headers.get('X-Should-Retry')).toBeNull();
});

function fetchMcp(key: string): Promise<Response> {
  return fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${key}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
}

test('answers by REST, /v1 and /mcp count in one quota, and an exhausted one is an error that says so', async () => {
  const tenant = await createLimitedTenant({ monthlyMessages: 3 });
  const key = await tenant.key();
  const rest = restClient(`${service.url}/api/v1`, key);
  expect((await rest.post('/chat', { message: question })).status).toBe(200);
  expect((await openAi(key).chat.completions.create(ask)).choices).toHaveLength(1);
  const mcp = await connectMcp(key);
  const call = { name: 'ask', arguments: { message: question } };
  expect((await mcp.callTool(call)).isError).not.toBe(true);

  const refused = await mcp.callTool(call);
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused.content)).toContain('QUOTA_EXCEEDED');
  const streamed = openAi(key).chat.completions.create({ ...ask, stream: true });
  await expect(streamed).rejects.toMatchObject({ status: 429, code: 'insufficient_quota' });
  const response = openAi(key).responses.create({ model: 'grounded', input: question });
  await expect(response).rejects.toMatchObject({ status: 429, code: 'insufficient_quota' });
  expect((await rest.post('/chat', { message: question })).status).toBe(402);
});

describe('a model that fails in the middle of an answer', () => {
  const failing = { deltas: ['Check-out ', 'is '], end: 'cut', finishReason: null } as const;

  test("is an error of OpenAI's client, after the text so far", async () => {
    models.script(failing);
    const stream = await openAi(key).chat.completions.create({ ...ask, stream: true });
    let text = '';
    const reading = (async () => {
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
    })();
    const error = await reading.catch((error) => error);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ code: 'model_error', type: 'server_error' });
    expect(text).toBe('Check-out is ');
  });

  test('ends a stream of Responses with its error', async () => {
    models.script(failing);
    const request = { model: 'grounded', input: question, stream: true } as const;
    const types: string[] = [];
    const reading = (async () => {
      for await (const event of await openAi(key).responses.create(request)) types.push(event.type);
    })();
    const error = await reading.catch((error) => error);
    expect([...types, error?.code]).toContain('model_error');
    expect(types.slice(0, 2)).toEqual(['response.created', 'response.in_progress']);
  });

  test('is an error of the MCP tool', async () => {
    models.script(failing);
    const mcp = await connectMcp(key);
    const result = await mcp.callTool({ name: 'ask', arguments: { message: question } });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain('MODEL_ERROR');
  });
});

test('two clients that ask at once with one key get their own answers, and cancel only their own', async () => {
  const [first, second] = await Promise.all([connectMcp(key), connectMcp(key)]);
  models.script({ deltas: ['Check-out ', 'is '], end: 'stall' }, { deltas: ['Until 11:00. [1]'] });
  const asked = models.request(models.requests.length);
  const controller = new AbortController();
  const call = { name: 'ask', arguments: { message: question } };
  const cancelled = first.callTool(call, { signal: controller.signal });
  const refused = expect(cancelled).rejects.toThrow();
  await asked;
  const other = second.callTool(call);
  controller.abort();
  await refused;
  expect((await other).structuredContent).toMatchObject({
    content: expect.stringContaining('11:00'),
  });
});
