import { afterAll, beforeAll, expect, test } from 'vitest';
import { reindex } from '../../../src/domain/knowledge/ingestion/reindex.ts';
import { removeRetiredVectors } from '../../../src/domain/knowledge/ingestion/remove-retired-vectors.ts';
import { searchKnowledge } from '../../../src/domain/knowledge/retrieval/search-knowledge.ts';
import { addDocuments } from '../../support/knowledge.ts';
import { type OpenAiServer, startOpenAiServer } from '../../support/servers/openai-server.ts';
import { startTestService, type Tenant, type TestService } from '../../support/service.ts';

let models: OpenAiServer;
let oldModelService: TestService;
let newModelService: TestService;
let tenant: Tenant;
let projectId: string;

beforeAll(async () => {
  models = await startOpenAiServer();
  oldModelService = await startTestService();
  tenant = await oldModelService.createTenant();
  projectId = tenant.projectId;
  await addDocuments(oldModelService, projectId, {
    'Check-out.md': 'Check-out is until 11:00.',
    'Sauna.md': 'The sauna opens at 16:00.',
  });
  const { baseUrl } = models;
  newModelService = await startTestService({
    openAi: { baseUrl, apiKey: null, chatModel: null, embeddingModel: 'another-model' },
    database: oldModelService.database,
    isWorker: false,
  });
});
afterAll(async () => {
  await newModelService?.stop();
  await oldModelService?.stop();
  await models?.close();
});

async function vectorsByModel(): Promise<Record<string, number>> {
  const { rows } = await oldModelService.adapters.pool.query(
    `select m.name, count(v.chunk_id)::int as count from grounded.embedding_models m
     left join grounded.chunk_vectors v on v.model_id = m.id group by m.name order by m.name`,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

async function bestMatch(service: TestService) {
  const [hit] = await searchKnowledge(service.system, {
    projectId,
    query: 'When does the sauna open?',
  });
  return hit;
}

test('after a model change the old vectors serve until all chunks are embedded, then the new ones serve', async () => {
  const old = await bestMatch(newModelService);
  expect(old).toMatchObject({ documentName: 'Sauna.md' });
  expect(old?.similarity).toBe((await bestMatch(oldModelService))?.similarity);
  expect(models.requests).toHaveLength(0);

  const steps: number[] = [];
  const report = await reindex(newModelService.system, (count) => steps.push(count));
  expect(report).toEqual({ model: 'another-model', embeddedChunks: 2 });
  expect(steps).toEqual([2]);
  expect(await vectorsByModel()).toEqual({ 'another-model': 2, 'built-in/all-MiniLM-L6-v2': 2 });
  expect((await bestMatch(newModelService))?.similarity).not.toBe(old?.similarity);

  await removeRetiredVectors({ ...newModelService.system, pool: newModelService.ownerPool });
  expect(await vectorsByModel()).toEqual({ 'another-model': 2 });
});

test('reindexing again embeds nothing', async () => {
  expect(await reindex(newModelService.system)).toMatchObject({ embeddedChunks: 0 });
});

test('if the model of the vectors is unreachable, full-text search still works', async () => {
  oldModelService.adapters.models.refresh();
  expect(await bestMatch(oldModelService)).toMatchObject({
    documentName: 'Sauna.md',
    similarity: 0,
  });
});

test('a document ingested while the model is unreachable has no vectors until the next reindex', async () => {
  oldModelService.adapters.models.refresh();
  await addDocuments(oldModelService, projectId, { 'Bar.md': 'The bar has rum.' });
  expect(await vectorsByModel()).toEqual({ 'another-model': 2 });
  await reindex(newModelService.system);
  expect(await vectorsByModel()).toEqual({ 'another-model': 3 });
});

test('returning to a model whose vectors still exist embeds nothing and deletes nothing', async () => {
  expect(await reindex(oldModelService.system)).toMatchObject({ embeddedChunks: 3 });
  expect(await reindex(newModelService.system)).toMatchObject({
    model: 'another-model',
    embeddedChunks: 0,
  });
  await removeRetiredVectors({ ...newModelService.system, pool: newModelService.ownerPool });
  expect(await vectorsByModel()).toEqual({ 'another-model': 3 });
});
