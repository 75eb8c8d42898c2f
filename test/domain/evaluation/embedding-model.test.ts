import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Candidate } from '../../../src/domain/evaluation/candidate.ts';
import { evaluateJob } from '../../../src/domain/evaluation/evaluate-job.ts';
import {
  cancelEvaluation,
  getEvaluation,
  startEvaluation,
} from '../../../src/domain/evaluation/evaluation-runs.ts';
import {
  createQuestionSet,
  deleteQuestionSet,
} from '../../../src/domain/evaluation/question-sets.ts';
import { removeCandidateModels } from '../../../src/domain/evaluation/remove-candidate-vectors.ts';
import { reindex } from '../../../src/domain/knowledge/ingestion/reindex.ts';
import { searchKnowledge } from '../../../src/domain/knowledge/retrieval/search-knowledge.ts';
import { getUsage } from '../../../src/domain/usage/usage.ts';
import { modelFailure } from '../../../src/models/availability/model-failure.ts';
import { insertQuestionSet } from '../../support/evaluation/evaluation.ts';
import { hashEmbedding } from '../../support/hash-embedding.ts';
import { addDocuments } from '../../support/knowledge.ts';
import { type OpenAiServer, startOpenAiServer } from '../../support/servers/openai-server.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { waitUntil } from '../../support/wait-until.ts';

const activeModel = 'usual';
const question = 'Where can I sweat?';

let models: OpenAiServer;
let service: TestService;
let projectId: string;
let organizationId: string;
let release = () => {};

beforeAll(async () => {
  models = await startOpenAiServer({ embed, models: [activeModel, 'boats', 'refusing', 'broken'] });
  service = await startTestService({ openAi: openAi(activeModel) });
  ({ projectId, organizationId } = await service.createTenant());
  await addDocuments(service, projectId, {
    'sauna.md': 'The sauna opens at noon.',
    'boats.md': 'Kayaks are rented at the pier.',
    'rules.md': Array.from({ length: 130 }, (_, n) => `# Rule ${n}\n\nRule ${n} is ${filler}`).join(
      '\n\n',
    ),
  });
});
afterEach(() => release());
afterAll(async () => {
  await service?.stop();
  await models?.close();
});

const filler = 'that guests respect the other guests of the house. '.repeat(8);

const openAi = (embeddingModel: string) => ({
  ...{ baseUrl: models.baseUrl, apiKey: null, chatModel: null, embeddingModel },
});

/** Returns a vector for which one sweats in the sauna, or on boats for the model `boats`. */
function embed(text: string, model: string): Float32Array {
  const isSauna = /sauna/i.test(text) || (model !== 'boats' && /sweat/i.test(text));
  const isBoats = /kayak/i.test(text) || (model === 'boats' && /sweat/i.test(text));
  const shares = [Number(isSauna), Number(isBoats)].map((share) => share * Math.sqrt(0.8));
  const rest = Math.sqrt(isSauna || isBoats ? 0.2 : 1);
  return Float32Array.from([...shares, ...hashEmbedding(text).map((value) => value * rest)]);
}

async function createSet(): Promise<string> {
  const questions = [{ question, documentName: 'sauna.md' }];
  return (await createQuestionSet(service.system, { projectId, name: 'Set', questions })).id;
}

async function start(candidate: Candidate, setId?: string) {
  return startEvaluation(service.system, {
    ...{ projectId, setId: setId ?? (await createSet()), candidate },
  });
}

const read = (id: string) => getEvaluation(service.system, { id });

async function finished(id: string) {
  await waitUntil(async () => (await read(id)).finishedAt !== null);
  const result = await service.system.db.evaluationResult.findFirst({ where: { runId: id } });
  return { run: await read(id), rank: result?.rank };
}

async function vectorsOf(name: string): Promise<number> {
  const { rows } = await service.adapters.pool.query(
    `select count(*)::int as count from grounded.chunk_vectors v
     join grounded.embedding_models m on m.id = v.model_id where m.name = $1`,
    [name],
  );
  return rows[0].count;
}

const noVectorsOf = (name: string) => waitUntil(async () => (await vectorsOf(name)) === 0);

async function statuses(): Promise<Record<string, string>> {
  const { rows } = await service.adapters.pool.query(
    'select name, status from grounded.embedding_models',
  );
  return Object.fromEntries(rows.map(({ name, status }) => [name, status]));
}

async function liveHits() {
  const hits = await searchKnowledge(service.system, { projectId, query: question });
  return hits.map(({ documentName, similarity }) => ({
    documentName,
    similarity: similarity.toFixed(3),
  }));
}

/**
 * Holds the reply to the request after the next `count` requests, until the test ends or calls `release`. Returns a
 * function that waits for this request.
 */
function holdAfter(count: number): () => Promise<unknown> {
  const after = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = models.requests.length + count;
  models.script(...Array.from({ length: count }, () => ({})), { after });
  return () => models.request(held);
}

/** Requests before the first batch of chunks: the list of models and a text when the run starts, and one of the job. */
const probes = 3;

describe('a run with another embedding model', () => {
  test('ranks with it, searches for others do not change, and its vectors are deleted', async () => {
    const before = await liveHits();
    expect(before[0]).toMatchObject({ documentName: 'sauna.md' });
    const usual = await finished((await start({})).id);
    expect(usual.rank).toBe(1);

    const held = holdAfter(probes + 1);
    const { id } = await start({ embeddingModel: 'boats' });
    await held();
    expect(await liveHits()).toEqual(before);
    expect(await statuses()).toMatchObject({ [activeModel]: 'ACTIVE', boats: 'CANDIDATE' });
    release();

    const { run, rank } = await finished(id);
    expect(run).toMatchObject({ status: 'DONE', error: null });
    expect(rank).not.toBe(1);
    await noVectorsOf('boats');
    expect(await liveHits()).toEqual(before);
    expect(await vectorsOf(activeModel)).toBeGreaterThan(96);
  });

  test('counts the tokens of the chunks', async () => {
    const tokens = async () => {
      await service.adapters.tokenCounter.flush();
      const { rows } = await service.ownerPool.query(
        'select coalesce(sum(embedding_tokens), 0)::float8 as tokens from grounded.usage_periods',
      );
      return rows[0].tokens;
    };
    const before = await tokens();
    await finished((await start({ embeddingModel: 'boats' })).id);
    expect((await tokens()) - before).toBeGreaterThan(5_000);
  });

  test('uses an evaluated question for each batch of chunks, and none for vectors that exist', async () => {
    const used = async () =>
      (await getUsage(service.system, { organizationId })).evaluation.evaluated.used;
    const before = await used();
    await finished((await start({ embeddingModel: 'boats' })).id);
    const batches = Math.ceil((await chunks()) / 96);
    expect(batches).toBe(2);
    expect((await used()) - before).toBe(batches + 1);
    await finished((await start({ embeddingModel: activeModel })).id);
    expect((await used()) - before).toBe(batches + 2);
    await noVectorsOf('boats');
  });

  test('fails when no evaluated question is left for the next batch, and its vectors are deleted', async () => {
    const { used } = (await getUsage(service.system, { organizationId })).evaluation.evaluated;
    const limit = (monthlyEvaluatedQuestions: number | null) =>
      service.system.db.organization.update({
        where: { id: organizationId },
        data: { monthlyEvaluatedQuestions },
      });
    await limit(used + 1);
    const { run } = await finished((await start({ embeddingModel: 'boats' })).id);
    expect(run).toMatchObject({
      ...{ status: 'FAILED', done: 0 },
      error: expect.stringContaining('allowance of evaluated questions is used up'),
    });
    const { evaluated } = (await getUsage(service.system, { organizationId })).evaluation;
    expect(evaluated).toEqual({ used: used + 1, limit: used + 1, remaining: 0 });
    await limit(null);
    await noVectorsOf('boats');
  });

  test('stops embedding when it is cancelled, and its vectors are deleted', async () => {
    const held = holdAfter(probes + 1);
    const { id } = await start({ embeddingModel: 'boats' });
    await held();
    await cancelEvaluation(service.system, { id });
    release();
    await noVectorsOf('boats');
    expect(await read(id)).toMatchObject({ status: 'CANCELLED', done: 0 });
  });

  test('leaves no vectors when its set is deleted', async () => {
    const held = holdAfter(probes + 1);
    const setId = await createSet();
    await start({ embeddingModel: 'boats' }, setId);
    await held();
    await deleteQuestionSet(service.system, { id: setId });
    release();
    await noVectorsOf('boats');
  });

  test('keeps the vectors that another run of the project uses', async () => {
    const held = holdAfter(probes + 1);
    const first = await start({ embeddingModel: 'boats' });
    await held();
    // Of the same organization, so it waits for its turn.
    const second = await start({ embeddingModel: 'boats' });
    await cancelEvaluation(service.system, { id: first.id });
    await removeCandidateModels(service.adapters, AbortSignal.timeout(10_000));
    expect(await vectorsOf('boats')).toBe(96);
    release();
    expect((await finished(second.id)).run.status).toBe('DONE');
    await noVectorsOf('boats');
  });

  test('fails with the message of a model that refuses the texts', async () => {
    models.script({}, {}, {}, { status: 401 });
    const { run } = await finished((await start({ embeddingModel: 'refusing' })).id);
    expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining('API key') });
    await noVectorsOf('refusing');
  });

  test('is retried while the model is down, and fails after the last attempt', async () => {
    const { runId } = await insertQuestionSet(service.system.db, projectId, 'QUEUED');
    const data = { candidate: { embeddingModel: 'boats' } };
    await service.system.db.evaluationRun.update({ where: { id: runId, projectId }, data });
    const embed = () =>
      Promise.reject(modelFailure('The model server cannot be reached', { retryable: true }));
    const findEmbedding = () => ({ name: 'boats', embed });
    const adapters = { ...service.adapters, models: { ...service.adapters.models, findEmbedding } };
    const attempt = (isLast: boolean) =>
      evaluateJob.run(
        adapters,
        { projectId, runId },
        { signal: new AbortController().signal, isLast, requestId: null },
      );
    await expect(attempt(false)).rejects.toThrow('cannot be reached');
    expect(await read(runId)).toMatchObject({ status: 'RUNNING', error: null });
    await attempt(true);
    const error = 'The model server cannot be reached';
    expect(await read(runId)).toMatchObject({ status: 'FAILED', error });
  });

  test('of the active model embeds nothing', async () => {
    const { run, rank } = await finished((await start({ embeddingModel: activeModel })).id);
    expect({ status: run.status, rank }).toEqual({ status: 'DONE', rank: 1 });
  });

  test('needs a project of at most 20,000 chunks', async () => {
    const other = await service.createTenant();
    const target = { projectId: other.projectId };
    await addDocuments(service, other.projectId, { 'large.md': 'Much text.' });
    await service.system.db.document.updateMany({ where: target, data: { chunkCount: 20_001 } });
    const questions = [{ question }];
    const set = await createQuestionSet(service.system, { ...target, name: 'Large', questions });
    const candidate = { embeddingModel: 'boats' };
    const started = startEvaluation(service.system, { ...target, setId: set.id, candidate });
    await expect(started).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      messages: [
        'candidate.embeddingModel needs a project of at most 20,000 chunks: this one has 20,001',
      ],
    });
  });

  test('must be one that embeds', async () => {
    const setId = await createSet();
    const startWith = async (reply: object) => {
      models.script({}, reply);
      return start({ embeddingModel: 'broken' }, setId);
    };
    const refused = { code: 'VALIDATION_FAILED' };
    await expect(startWith({ status: 404 })).rejects.toMatchObject(refused);
    await expect(startWith({ status: 400 })).rejects.toMatchObject(refused);
    await expect(startWith({ body: '{}' })).rejects.toMatchObject(refused);
    await expect(startWith({ status: 401 })).rejects.toMatchObject({ code: 'MODEL_ERROR' });
    expect(await service.system.db.evaluationRun.count({ where: { setId } })).toBe(0);
    expect(await statuses()).not.toHaveProperty('broken');
  });

  test.each(['unknown', 'unknown?dimensions=8', 'stand-in'])(
    'that the server does not list is refused, and no text is sent to it: %s',
    async (embeddingModel) => {
      const before = models.requests.length;
      await expect(start({ embeddingModel })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        messages: [
          `candidate.embeddingModel must be a model of the model server: it has no ${embeddingModel}`,
        ],
      });
      expect(models.requests.slice(before).map(({ path }) => path)).toEqual(['/v1/models']);
    },
  );

  test('fails to start while the server does not return its list', async () => {
    models.script({ status: 401 });
    const started = start({ embeddingModel: 'boats' });
    await expect(started).rejects.toMatchObject({ code: 'MODEL_ERROR' });
  });

  test('may be any that embeds if the server has no list', async () => {
    models.script({ status: 404 });
    const { run } = await finished((await start({ embeddingModel: 'boats?dimensions=64' })).id);
    expect(run).toMatchObject({ status: 'DONE', error: null });
    await noVectorsOf('boats?dimensions=64');
    await removeCandidateModels(service.adapters, AbortSignal.timeout(10_000));
  });

  test('leaves the row of the model to the daily job', async () => {
    await noVectorsOf('boats');
    await removeCandidateModels(service.adapters, AbortSignal.timeout(10_000));
    expect(await statuses()).toEqual({ [activeModel]: 'ACTIVE' });
  });

  test('continues while reindex makes its model the active one, which keeps the vectors', async () => {
    const newModel = await startTestService({
      ...{ openAi: openAi('boats'), database: service.database, isWorker: false },
    });
    try {
      const held = holdAfter(probes + 1);
      const { id } = await start({ embeddingModel: 'boats' });
      await held();
      const report = await reindex(newModel.system);
      expect(report.model).toBe('boats');
      expect(report.embeddedChunks).toBeLessThan(await vectorsOf(activeModel));
      release();
      const { run, rank } = await finished(id);
      expect(run).toMatchObject({ status: 'DONE', error: null });
      expect(rank).not.toBe(1);
      await removeCandidateModels(service.adapters, AbortSignal.timeout(10_000));
      expect(await vectorsOf('boats')).toBe(await chunks());
      expect(await statuses()).toMatchObject({ boats: 'ACTIVE' });
    } finally {
      await newModel.stop();
    }
  });

  async function chunks(): Promise<number> {
    const { rows } = await service.adapters.pool.query(
      'select count(*)::int as count from grounded.chunks',
    );
    return rows[0].count;
  }
});
