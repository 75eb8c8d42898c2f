import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { searchKnowledge } from '../../../src/domain/knowledge/retrieval/search-knowledge.ts';
import type { Reranker } from '../../../src/models/models.ts';
import type { OpenAiLimits } from '../../../src/models/openai/openai-limits.ts';
import { httpReranker } from '../../../src/models/reranker/http-reranker.ts';
import { rerankerWithCircuitBreaker } from '../../../src/models/reranker/reranker-circuit-breaker.ts';
import { createLog } from '../../../src/server/log.ts';
import { addDocuments } from '../../support/knowledge.ts';
import { type OpenAiServer, startOpenAiServer } from '../../support/servers/openai-server.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { sharedDatabase } from '../../support/shared-service.ts';

const { signal } = new AbortController();
const texts = ['The harbour is deep.', 'The red lamp burns at night.', 'The lamp is red.'];

describe('an HTTP reranker', () => {
  let server: OpenAiServer;
  beforeEach(async () => {
    server = await startOpenAiServer({ apiKey: 'secret' });
  });
  afterEach(() => server.close());

  function reranker(limits: Partial<OpenAiLimits> = {}, apiKey = 'secret'): Reranker {
    return httpReranker({ baseUrl: server.baseUrl, apiKey, model: 'reader', limits });
  }

  it('scores each text, in input order', async () => {
    expect(await reranker().score('red lamp', texts, signal)).toEqual({
      ...{ scores: [0, 1, 1], tokens: 3 },
    });
    const { path, body, headers } = await server.request(0);
    expect(path).toBe('/v1/rerank');
    expect(body).toEqual({ model: 'reader', query: 'red lamp', documents: texts, top_n: 3 });
    expect(headers.authorization).toBe('Bearer secret');
    expect(await reranker().score('red lamp', [], signal)).toEqual({ scores: [], tokens: 0 });
  });

  it.each([
    ['tokens', { usage: { total_tokens: 120 } }, 120],
    ['searches', { meta: { billed_units: { search_units: 1 } } }, 1],
    ['neither', { usage: { total_tokens: -1 }, meta: {} }, 0],
  ])('counts what the server bills: %s', async (_, billed, tokens) => {
    const results = texts.map((_, index) => ({ index, relevance_score: 0.5 }));
    server.script({ body: JSON.stringify({ results, ...billed }) });
    expect(await reranker().score('q', texts, signal)).toEqual({ scores: [0.5, 0.5, 0.5], tokens });
  });

  it('maps scores outside 0 to 1 into that range, preserving their order', async () => {
    const results = [4.2, -7, 0.1].map((relevance_score, index) => ({ index, relevance_score }));
    server.script({ body: JSON.stringify({ results }) });
    const reranking = await reranker().score('q', texts, signal);
    const [first = 0, second = 0, third = 0] = reranking?.scores ?? [];
    expect(first).toBeGreaterThan(third);
    expect(third).toBeGreaterThan(second);
    expect(Math.min(first, second, third)).toBeGreaterThan(0);
    expect(Math.max(first, second, third)).toBeLessThan(1);
  });

  it.each([
    ['a text left out', { results: [{ index: 0, relevance_score: 1 }] }],
    ['a text twice', { results: [0, 1, 1].map((index) => ({ index, relevance_score: 1 })) }],
    ['a text that is none', { results: [0, 1, 7].map((index) => ({ index, relevance_score: 1 })) }],
    ['no number', { results: [0, 1, 2].map((index) => ({ index, relevance_score: 'high' })) }],
    ['another reply', { data: [] }],
  ])('rejects %s', async (_, reply) => {
    server.script({ body: JSON.stringify(reply) });
    await expect(reranker().score('q', texts, signal)).rejects.toMatchObject({
      code: 'MODEL_ERROR',
    });
  });

  it('fails at once, with a message that contains neither key nor URL', async () => {
    server.script({ status: 503 });
    await expect(reranker().score('q', texts, signal)).rejects.toMatchObject({
      code: 'MODEL_ERROR',
      message: 'The model server failed',
    });
    await expect(reranker({}, 'wrong').score('q', texts, signal)).rejects.toMatchObject({
      message: 'The model server rejected the API key',
    });
    expect(server.requests).toHaveLength(2);
  });

  it('respects its timeout, and returns at once for a disconnected caller', async () => {
    const never = new Promise(() => {});
    server.script({ after: never }, { after: never });
    await expect(reranker({ rerankTimeoutMs: 50 }).score('q', texts, signal)).rejects.toMatchObject(
      {
        message: 'The model did not answer in time',
      },
    );
    const leaving = new AbortController();
    const scores = reranker().score('q', texts, leaving.signal);
    await server.request(1);
    leaving.abort();
    await expect(scores).rejects.toMatchObject({ message: 'The model call was stopped' });
  });
});

describe('a failing reranker', () => {
  it('is skipped for half a minute, then called again', async () => {
    let time = 0;
    let calls = 0;
    const failing: Reranker = {
      name: 'reader',
      score: async (_, texts) => {
        calls += 1;
        if (calls === 1) throw new Error('busy');
        return { scores: texts.map(() => 1), tokens: 3 };
      },
    };
    const resting = rerankerWithCircuitBreaker(failing, {
      log: createLog('silent'),
      now: () => time,
    });
    expect(await resting.score('q', texts, signal)).toBeNull();
    time = 29_999;
    expect(await resting.score('q', texts, signal)).toBeNull();
    expect(calls).toBe(1);
    time = 30_000;
    expect(await resting.score('q', texts, signal)).toEqual({ scores: [1, 1, 1], tokens: 3 });
  });

  it('is not skipped because a caller disconnected', async () => {
    const left = AbortSignal.abort(new Error('left'));
    const failing: Reranker = {
      name: 'reader',
      score: async (_, texts, { aborted }) => {
        if (aborted) throw new Error('stopped');
        return { scores: texts.map(() => 1), tokens: 3 };
      },
    };
    const resting = rerankerWithCircuitBreaker(failing, { log: createLog('silent') });
    await expect(resting.score('q', texts, left)).rejects.toThrow('left');
    expect(await resting.score('q', texts, signal)).toEqual({ scores: [1, 1, 1], tokens: 3 });
  });
});

describe('a service with a reranker', () => {
  let server: OpenAiServer;
  let service: TestService;
  let projectId: string;

  beforeAll(async () => {
    server = await startOpenAiServer();
    const rerank = { baseUrl: server.baseUrl, apiKey: null, model: 'reader' };
    service = await startTestService({ rerank, database: await sharedDatabase() });
    const tenant = await service.createTenant();
    projectId = tenant.projectId;
    const documents = {
      'Lamps.txt': 'Lamps, lamps, lamps: we sell a red one.',
      'Tower.txt': 'The lamp in the tower was lit by its keeper, who carried oil up each night.',
      'Bread.txt': 'Bread is baked every morning with hazelnuts.',
    };
    await addDocuments(service, projectId, documents);
  });
  afterAll(async () => {
    await service?.stop();
    await server?.close();
  });

  const search = (query: string) => searchKnowledge(service.system, { projectId, query });

  it("returns hits in the reranker's order, with decreasing scores", async () => {
    const before = await search('lamps red');
    expect(before[0]?.documentName).toBe('Lamps.txt');
    const read = server.requests.at(-1)?.body.documents;
    if (!Array.isArray(read)) throw new Error('nothing was read');
    const results = read.map((document, index) => ({
      index,
      relevance_score: String(document).includes('Bread') ? 0.99 : 0.1 / (index + 1),
    }));
    server.script({ body: JSON.stringify({ results }) });
    const after = await search('lamps red');
    expect(after[0]?.documentName).toBe('Bread.txt');
    const scores = after.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((left, right) => right - left));
    expect(Math.max(...scores)).toBeCloseTo(Math.max(...before.map(({ score }) => score)), 1);
  });

  it('works without the reranker while it fails', async () => {
    server.script({ status: 500 });
    const [first] = await search('lamps red');
    expect(first?.documentName).toBe('Lamps.txt');
    const { length } = server.requests;
    expect((await search('bread with hazelnuts'))[0]?.documentName).toBe('Bread.txt');
    expect(server.requests).toHaveLength(length);
  });
});
