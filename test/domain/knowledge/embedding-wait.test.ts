import { APIError } from 'openai/core/error';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDocument } from '../../../src/domain/knowledge/create-document.ts';
import { getDocument } from '../../../src/domain/knowledge/documents.ts';
import { ingestDocument } from '../../../src/domain/knowledge/ingestion/ingest-document.ts';
import { retryFailedDocuments } from '../../../src/domain/knowledge/retry-failed-documents.ts';
import { modelFailure } from '../../../src/models/availability/model-failure.ts';
import { embeddingModelWithCircuitBreaker } from '../../../src/models/embedding/embedding-circuit-breaker.ts';
import type { EmbeddingModel } from '../../../src/models/models.ts';
import { openAiEmbeddingModel } from '../../../src/models/openai/openai-embedding-model.ts';
import { toModelError } from '../../../src/models/openai/openai-failure.ts';
import { createLog } from '../../../src/server/log.ts';
import { type OpenAiServer, startOpenAiServer } from '../../support/servers/openai-server.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let models: OpenAiServer;
let service: TestService;
let projectId: string;

beforeAll(async () => {
  models = await startOpenAiServer();
  service = await startTestService({
    isWorker: false,
    openAi: { baseUrl: models.baseUrl, apiKey: null, chatModel: null, embeddingModel: 'stand-in' },
  });
});
beforeEach(async () => {
  ({ projectId } = await service.createTenant());
});
afterAll(async () => {
  await service?.stop();
  await models?.close();
});

const attempt = { signal: new AbortController().signal, isLast: true, requestId: null };
const create = (name = 'Sauna.md', content = 'The sauna opens at 16:00.') =>
  createDocument(service.system, { projectId, name, content });
const read = (id: string) => getDocument(service.system, { projectId, id });

/** Runs one attempt with this model. The default is the model of the service. */
async function ingest(documentId: string, model?: EmbeddingModel) {
  const serving = await service.adapters.models.servingEmbedding();
  const adapters = {
    ...service.adapters,
    models: {
      ...service.adapters.models,
      servingEmbedding: () => Promise.resolve({ ...serving, model: model ?? serving.model }),
    },
  };
  return ingestDocument(adapters, { projectId, documentId }, attempt);
}

const unreachable: EmbeddingModel = {
  name: 'unreachable',
  embed: () =>
    Promise.reject(modelFailure('The model server cannot be reached', { retryable: true })),
};

/** Returns a model on the server that has its own circuit breaker. */
const serverModel = (now = () => 0) =>
  embeddingModelWithCircuitBreaker(
    openAiEmbeddingModel({ baseUrl: models.baseUrl, apiKey: null, model: 'stand-in' }),
    { log: createLog('silent'), now },
  );

/** Returns for each waiting job of the project the seconds until its start, the earliest first. */
async function scheduledSeconds(): Promise<number[]> {
  const { rows } = await service.adapters.pool.query(
    `select extract(epoch from start_after - now())::float8 as seconds from grounded_jobs.job
     where name = 'ingest-document' and data ->> 'projectId' = $1 and start_after > now()
     order by 1`,
    [projectId],
  );
  return rows.map(({ seconds }) => seconds);
}

async function waitSince(id: string, hours: number): Promise<void> {
  await service.adapters.pool.query(
    `update grounded.documents set waiting_since = now() - make_interval(secs => $2) where id = $1`,
    [id, hours * 3600],
  );
}

describe('while the embedding model is unavailable', () => {
  test('a document is PROCESSING with the reason, and is tried again later', async () => {
    const { id } = await create();
    expect(await ingest(id, unreachable)).toBe('WAITING');
    expect(await read(id)).toMatchObject({
      status: 'PROCESSING',
      waitingReason: 'The model server cannot be reached',
      errorCode: null,
    });
    const [seconds = 0] = await scheduledSeconds();
    expect(seconds).toBeGreaterThan(15);
    expect(seconds).toBeLessThan(45);
  });

  test('the waits grow to about ten minutes, and the document fails after 24 hours', async () => {
    const { id } = await create();
    await ingest(id, unreachable);
    for (const hours of [0.1, 8, 23.9]) {
      await waitSince(id, hours);
      expect(await ingest(id, unreachable)).toBe('WAITING');
    }
    const waits = await scheduledSeconds();
    expect(waits).toHaveLength(4);
    expect(waits[1]).toBeGreaterThan(240);
    expect(waits.at(-1)).toBeLessThan(800);
    await waitSince(id, 24);
    expect(await ingest(id, unreachable)).toBe('FAILED');
    expect(await read(id)).toMatchObject({
      status: 'FAILED',
      errorCode: 'EMBEDDING_ERROR',
      waitingReason: null,
    });
  });

  test('it is READY with the first attempt after the outage', async () => {
    const { id } = await create();
    await ingest(id, unreachable);
    expect(await ingest(id)).toBe('READY');
    expect(await read(id)).toMatchObject({ status: 'READY', waitingReason: null });
  });

  test('an unreadable document fails at once', async () => {
    const { id } = await create('Blank.md', '<!-- nothing to read -->');
    expect(await ingest(id, unreachable)).toBe('FAILED');
    expect(await read(id)).toMatchObject({ errorCode: 'EMPTY_TEXT' });
  });
});

const failureOf = (status: number | undefined, headers = {}) =>
  toModelError(APIError.generate(status, {}, undefined, new Headers(headers)));

describe('a document whose embedding always fails', () => {
  const setUp = (failure = failureOf(500)) => {
    const clock = { ms: 0 };
    const server = openAiEmbeddingModel({
      baseUrl: models.baseUrl,
      apiKey: null,
      model: 'stand-in',
    });
    const failing: EmbeddingModel = {
      ...server,
      embed: (texts, options) =>
        texts.some((text) => text.includes('poison'))
          ? Promise.reject(failure)
          : server.embed(texts, options),
    };
    const options = { log: createLog('silent'), now: () => clock.ms };
    return { clock, model: embeddingModelWithCircuitBreaker(failing, options) };
  };
  const createPoison = () => create('Mushrooms.md', 'This text is poison for the model server.');

  test('fails after five attempts if the model embeds other documents in between', async () => {
    const { clock, model } = setUp();
    const { id } = await createPoison();
    const outcomes: unknown[] = [];
    for (let n = 0; n < 6; n += 1) {
      outcomes.push(await ingest(id, model));
      clock.ms += 60_000;
      const other = await create(`Room ${n}.md`, `Room ${n} has a view.`);
      expect(await ingest(other.id, model)).toBe('READY');
    }
    expect(outcomes).toEqual([...Array.from({ length: 5 }, () => 'WAITING'), 'FAILED']);
    expect(await read(id)).toMatchObject({ status: 'FAILED', errorCode: 'EMBEDDING_ERROR' });
  });

  test.each([
    ['429', failureOf(429)],
    ['503', failureOf(503)],
    ['529', failureOf(529)],
    ['502', failureOf(502)],
    ['500 with Retry-After', failureOf(500, { 'retry-after': '5' })],
    ['a lost connection', failureOf(undefined)],
    ['a timeout', modelFailure('The model did not answer in time', { retryable: true })],
  ])('waits after %s, although the model embeds other documents', async (_what, failure) => {
    const { clock, model } = setUp(failure);
    const { id } = await createPoison();
    for (let n = 0; n < 7; n += 1) {
      expect(await ingest(id, model)).toBe('WAITING');
      clock.ms += 60_000;
      const other = await create(`Room ${n}.md`, `Room ${n} has a view.`);
      expect(await ingest(other.id, model)).toBe('READY');
    }
  });

  test('waits while the model embeds no other document', async () => {
    const { clock, model } = setUp();
    const { id } = await createPoison();
    for (let n = 0; n < 8; n += 1) {
      expect(await ingest(id, model)).toBe('WAITING');
      clock.ms += 60_000;
    }
  });

  test('does not count refusals because of another document', async () => {
    const { clock, model } = setUp();
    const poison = await createPoison();
    const { id } = await create();
    for (let n = 0; n < 4; n += 1) {
      expect(await ingest(poison.id, model)).toBe('WAITING');
      expect(await ingest(id, model)).toBe('WAITING');
      clock.ms += 60_000;
      const other = await create(`Bar ${n}.md`, `The bar serves drink ${n}.`);
      expect(await ingest(other.id, model)).toBe('READY');
    }
    expect(
      (await service.system.db.document.findUniqueOrThrow({ where: { id } })).loneFailures,
    ).toBe(0);
    clock.ms += 60_000;
    expect(await ingest(id, model)).toBe('READY');
  });
});

test.each([
  [401, 'The model server rejected the API key'],
  [403, 'The model server rejected the API key'],
  [404, 'The model server does not know the model or the address'],
])('waits after a %i, which the operator can fix', async (status, waitingReason) => {
  const { id } = await create();
  const clock = { ms: 0 };
  const model = serverModel(() => clock.ms);
  models.script({ status });
  expect(await ingest(id, model)).toBe('WAITING');
  expect(await read(id)).toMatchObject({ status: 'PROCESSING', waitingReason });
  const calls = models.requests.length;
  clock.ms = 29_999;
  expect(await ingest(id, model)).toBe('WAITING');
  expect(models.requests.length).toBe(calls);
  clock.ms = 30_000;
  expect(await ingest(id, model)).toBe('READY');
});

test('fails a document whose text the model refuses, at once', async () => {
  const { id } = await create();
  models.script({ status: 400, body: '{"error":{"message":"invalid input"}}' });
  const { adapters } = service;
  const ref = { projectId, documentId: id };
  expect(await ingestDocument(adapters, ref, { ...attempt, isLast: false })).toBe('FAILED');
  expect(await read(id)).toMatchObject({
    errorCode: 'EMBEDDING_ERROR',
    errorMessage: 'The model server rejected the request',
  });
});

test('retries the failed documents of one project, at most 500 per call', async () => {
  const ids: string[] = [];
  for (const name of ['A.md', 'B.md', 'C.md']) ids.push((await create(name)).id);
  const other = await service.createTenant();
  const stranger = await createDocument(service.system, {
    projectId: other.projectId,
    name: 'D.md',
    content: 'The bar has rum.',
  });
  await service.adapters.pool.query(
    `update grounded.documents set status = 'FAILED', error_code = 'EMBEDDING_ERROR', processed_at = now()
     where id = any($1)`,
    [[ids[0], ids[1], stranger.id]],
  );
  expect(await retryFailedDocuments(service.system, { projectId, limit: 1 })).toEqual({
    retriedCount: 1,
    failedCount: 1,
  });
  expect(await retryFailedDocuments(service.system, { projectId })).toEqual({
    retriedCount: 1,
    failedCount: 0,
  });
  for (const id of ids) {
    expect(await read(id)).toMatchObject({ status: 'PROCESSING', errorCode: null });
  }
  expect(
    await getDocument(service.system, { projectId: other.projectId, id: stranger.id }),
  ).toMatchObject({ status: 'FAILED' });
  const { rows } = await service.adapters.pool.query(
    `select priority from grounded_jobs.job
     where name = 'ingest-document' and data ->> 'projectId' = $1 order by created_on, priority desc`,
    [projectId],
  );
  // The first three priorities belong to new documents. The others belong to retries, which come after the documents
  // that already wait.
  expect(rows.map(({ priority }) => priority)).toEqual([-1, -2, -3, -2, -3]);
});
