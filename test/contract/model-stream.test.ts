import { afterAll, beforeAll, expect, test } from 'vitest';
import { readUntil } from '../support/api/read-until.ts';
import { restClient } from '../support/api/rest-client.ts';
import { addDocuments } from '../support/knowledge.ts';
import type { OpenAiServer } from '../support/servers/openai-server.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { startServiceWithModel } from '../support/service-with-model.ts';

let models: OpenAiServer;
let service: TestService;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  ({ models, service } = await startServiceWithModel());
  tenant = await service.createTenant();
  key = await tenant.key();
  await addDocuments(service, tenant.projectId, {
    'Check-out.md':
      '# Check-out\n\nCheck-out is until 11:00. Late check-out costs 20 euros an hour.',
  });
});
afterAll(() => service?.stop());

function ask(signal?: AbortSignal): Promise<Response> {
  return restClient(`${service.url}/api/v1`, key).send('/chat', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ message: 'Until when is check-out?', stream: true }),
    signal: signal ?? null,
  });
}

test('the first words are sent before the model has finished', async () => {
  models.script({ deltas: ['Until ', '11:00 '], end: 'stall' });
  const asked = models.request(models.requests.length);
  const leaving = new AbortController();
  const response = await ask(leaving.signal);
  const text = await readUntil(response, '"delta"');
  expect(text).toContain('Until');
  leaving.abort();
  await (await asked).closed;
});

test('a client that disconnects closes the connection to the model', async () => {
  models.script({ deltas: ['Until ', '11:00 '], end: 'stall' });
  const asked = models.request(models.requests.length);
  const leaving = new AbortController();
  await readUntil(await ask(leaving.signal), '"delta"');
  leaving.abort();
  // The model never ends its answer. So if the service did not close the connection, this test would time out.
  await (await asked).closed;
});

test.each([
  ['breaks off', { deltas: ['Until '], finishReason: null, end: 'cut' }],
  ['ends without a finish reason', { deltas: ['Until '], finishReason: null, end: 'done' }],
  [
    'answers a web page',
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<html></html>' },
  ],
] as const)(
  'a model that %s causes an error event and never a done event',
  async (_what, reply) => {
    models.script(reply);
    const response = await ask();
    const frames = (await response.text()).trim().split('\n\n');
    const last = JSON.parse(frames.at(-1)?.slice('data: '.length) ?? '');
    expect(last).toMatchObject({ type: 'error', code: 'MODEL_ERROR', message: expect.any(String) });
    expect(frames.join('')).not.toContain('"done"');
    expect(last.message).not.toContain(models.baseUrl);
  },
);

test('a model that is briefly overloaded is retried', async () => {
  models.script(
    { status: 429, headers: { 'retry-after': '0' }, body: '{"error":{"message":"slow down"}}' },
    { deltas: ['Until 11:00 [1].'] },
  );
  const text = await (await ask()).text();
  expect(text).toContain('"type":"done"');
});

test('the confidence is measured while the model works, and sent before its text', async () => {
  const text = await (await ask()).text();
  const types = [...text.matchAll(/"type":"(\w+)"/g)].map(([, type]) => type);
  expect(types.slice(0, 3)).toEqual(['meta', 'sources', 'delta']);
  const [, confidence] = /"confidence":([\d.]+)/.exec(text) ?? [];
  expect(Number(confidence)).toBeGreaterThan(0);
});
