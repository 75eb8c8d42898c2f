import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EmbeddingModel } from '../../../src/models/models.ts';
import { openAiEmbeddingModel } from '../../../src/models/openai/openai-embedding-model.ts';
import type { OpenAiLimits } from '../../../src/models/openai/openai-limits.ts';
import { hashEmbedding } from '../../support/hash-embedding.ts';
import { type OpenAiServer, startOpenAiServer } from '../../support/servers/openai-server.ts';

let server: OpenAiServer;
beforeEach(async () => {
  server = await startOpenAiServer({ apiKey: 'sk-secret' });
});
afterEach(() => server.close());

function model(limits: Partial<OpenAiLimits> = {}, apiKey = 'sk-secret'): EmbeddingModel {
  const { baseUrl } = server;
  return openAiEmbeddingModel({
    baseUrl,
    apiKey,
    model: 'hash-64',
    limits: { initialRetryDelayMs: 1, ...limits },
  });
}

function inputOf(body: Record<string, unknown>): unknown[] {
  return Array.isArray(body.input) ? body.input : [];
}

it('returns one unit vector per text, in order, and the token count of the server', async () => {
  const { vectors, tokens } = await model().embed(['blue sky', 'green grass grows']);
  expect(vectors).toHaveLength(2);
  expect(vectors[1]?.[3]).toBeCloseTo(hashEmbedding('green grass grows')[3] ?? Number.NaN, 6);
  expect(Math.hypot(...(vectors[0] ?? []))).toBeCloseTo(1, 5);
  expect(tokens).toBe(5);
  expect((await server.request(0)).body).toMatchObject({
    model: 'hash-64',
    encoding_format: 'float',
  });
});

it('sends at most 96 texts per request and keeps their order across parallel requests', async () => {
  const texts = Array.from({ length: 250 }, (_, index) => `text number ${index}`);
  const { vectors } = await model().embed(texts);
  expect(server.requests.map(({ body }) => inputOf(body).length).sort()).toEqual([58, 96, 96]);
  for (const [index, text] of texts.entries()) {
    expect(vectors[index]?.[7]).toBeCloseTo(hashEmbedding(text)[7] ?? Number.NaN, 6);
  }
});

it('sends at most 200,000 characters per request', async () => {
  await model().embed(['a '.repeat(60_000), 'b '.repeat(60_000), 'c']);
  expect(server.requests.map(({ body }) => inputOf(body).length).sort()).toEqual([1, 2]);
});

it('runs at most three requests at a time', async () => {
  let release = () => {};
  const after = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.script({ after }, { after }, { after });
  const embedding = model().embed(Array.from({ length: 500 }, (_, index) => `${index}`));
  await server.request(2);
  expect(server.requests).toHaveLength(3);
  release();
  expect((await embedding).vectors).toHaveLength(500);
});

it('makes no request for an empty input', async () => {
  expect(await model().embed([])).toEqual({ vectors: [], tokens: 0 });
  expect(server.requests).toHaveLength(0);
});

it('reorders vectors that the server returns out of order', async () => {
  const data = [
    { index: 1, embedding: [0, 2] },
    { index: 0, embedding: [2, 0] },
  ];
  server.script({ body: JSON.stringify({ data }) });
  const { vectors } = await model().embed(['a', 'b']);
  expect(vectors.map((vector) => [...vector])).toEqual([
    [1, 0],
    [0, 1],
  ]);
});

it.each([
  ['too few vectors', [[1, 0]]],
  [
    'too many vectors',
    [
      [1, 0],
      [1, 0],
      [1, 0],
    ],
  ],
  [
    'vectors of different sizes',
    [
      [1, 0],
      [1, 0, 0],
    ],
  ],
  [
    'a zero vector',
    [
      [1, 0],
      [0, 0],
    ],
  ],
  ['an empty vector', [[1, 0], []]],
  [
    'null in a vector',
    [
      [1, 0],
      [null, 1],
    ],
  ],
  [
    'text in a vector',
    [
      [1, 0],
      ['1', 0],
    ],
  ],
  ['text for a vector', [[1, 0], 'AAAA']],
])('rejects a response with %s', async (_, embeddings) => {
  server.script({ body: JSON.stringify({ data: embeddings.map((embedding) => ({ embedding })) }) });
  await expect(model().embed(['a', 'b'])).rejects.toMatchObject({ code: 'MODEL_ERROR' });
});

it('rejects a response that contains an index twice', async () => {
  const data = [
    { index: 0, embedding: [1, 0] },
    { index: 0, embedding: [1, 0] },
  ];
  server.script({ body: JSON.stringify({ data }) });
  await expect(model().embed(['a', 'b'])).rejects.toMatchObject({ code: 'MODEL_ERROR' });
});

it('rejects an HTML page, malformed JSON and an oversized response', async () => {
  server.script({ body: '<html></html>' }, { body: '{"data": [' }, { body: ' '.repeat(5_000) });
  for (let call = 0; call < 3; call += 1) {
    const embedding = model({ maxResponseBytes: 4_000 }).embed(['a']);
    await expect(embedding).rejects.toMatchObject({ code: 'MODEL_ERROR' });
  }
});

it.each([
  ['text for a vector', '{"data": [{"embedding": "AACAPwAAAAA="}]}'],
  ['another shape', '{"embeddings": [[1, 0]]}'],
])('reports an answer with %s as malformed, and does not ask again', async (_what, body) => {
  server.script({ body });
  await expect(model().embed(['a'])).rejects.toMatchObject({
    message: 'The model server sent malformed data',
    retryable: false,
  });
  expect(server.requests).toHaveLength(1);
});

it('keeps the status of a refusal whose text is cut off', async () => {
  const cut = createServer((_request, response) => {
    response
      .writeHead(401, { 'content-length': '100' })
      .write('{"error"', () => response.destroy());
  });
  await new Promise<void>((resolve) => cut.listen(0, '127.0.0.1', resolve));
  const { port } = cut.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const embedding = openAiEmbeddingModel({ baseUrl, apiKey: null, model: 'cut' }).embed(['a']);
  await expect(embedding).rejects.toThrow(/^The model server rejected the API key$/);
  await new Promise((resolve) => cut.close(resolve));
});

it('retries after 429 and 503', async () => {
  server.script({ status: 429, headers: { 'retry-after': '0' } }, { status: 503 });
  expect((await model().embed(['a'])).vectors).toHaveLength(1);
  expect(server.requests).toHaveLength(3);
});

it('reports a rejected key without repeating it', async () => {
  const embedding = model({}, 'sk-other').embed(['a']);
  await expect(embedding).rejects.toThrow(/^The model server rejected the API key$/);
});

it('keeps the query of an address, such as the API version of Azure', async () => {
  server.script({ body: '{"data": [{"embedding": [1, 0]}]}' });
  const baseUrl = `${server.baseUrl}/?api-version=2026-01-01`;
  await openAiEmbeddingModel({ baseUrl, apiKey: 'sk-secret', model: 'hash-64' }).embed(['a']);
  expect((await server.request(0)).path).toBe('/v1/embeddings?api-version=2026-01-01');
});

it('sends no Authorization header without a key', async () => {
  const { baseUrl } = server;
  const keyless = openAiEmbeddingModel({ baseUrl, apiKey: null, model: 'hash-64' });
  await expect(keyless.embed(['a'])).rejects.toMatchObject({ retryable: false });
  const { headers } = await server.request(0);
  expect(headers).toMatchObject({ 'content-type': 'application/json', accept: 'application/json' });
  expect(headers).not.toHaveProperty('authorization');
});

it('waits less for the embedding of a query than for one of a document or of passages', async () => {
  const answered = Promise.withResolvers<void>();
  const after = answered.promise;
  server.script({ after }, { after }, { after });
  const limits = { queryTimeoutMs: 50 };
  const document = model(limits).embed(['a'], { kind: 'document' });
  await server.request(0);
  const passages = model(limits).embed(['a', 'b'], { kind: 'query' });
  await server.request(1);
  // This call starts last but times out first.
  await expect(model(limits).embed(['a'], { kind: 'query' })).rejects.toMatchObject({
    code: 'MODEL_ERROR',
    retryable: true,
  });
  answered.resolve();
  await Promise.all([document, passages]);
});

it('fails if the server times out', async () => {
  server.script({ after: new Promise(() => {}) });
  await expect(model({ embeddingTimeoutMs: 50 }).embed(['a'])).rejects.toMatchObject({
    code: 'MODEL_ERROR',
    retryable: true,
  });
});

it('closes all connections when the caller aborts', async () => {
  const after = new Promise(() => {});
  server.script({ after }, { after });
  const controller = new AbortController();
  const texts = Array.from({ length: 150 }, (_, index) => `${index}`);
  const embedding = model().embed(texts, { signal: controller.signal });
  const requests = [await server.request(0), await server.request(1)];
  controller.abort();
  await expect(embedding).rejects.toMatchObject({ code: 'MODEL_ERROR' });
  await Promise.all(requests.map((request) => request.closed));
});

it('puts the prefix of its role before each text, and requests the dimensions', async () => {
  const { baseUrl } = server;
  const prefixes = { query: 'query: ', document: 'passage: ' };
  const e5 = openAiEmbeddingModel({
    ...{ baseUrl, apiKey: 'sk-secret', model: 'e5', prefixes, dimensions: 256 },
  });
  await e5.embed(['a']);
  await e5.embed(['b'], { kind: 'query' });
  await e5.embed(['c'], { kind: 'query', role: 'document' });
  expect(server.requests.map(({ body }) => body.input)).toEqual([
    ['passage: a'],
    ['query: b'],
    ['passage: c'],
  ]);
  expect(server.requests[0]?.body.dimensions).toBe(256);
  expect(e5.name).not.toBe('e5');
  await model().embed(['d']);
  expect(server.requests.at(-1)?.body).not.toHaveProperty('dimensions');
});
