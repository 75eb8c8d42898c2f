import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDocument } from '../../../src/domain/knowledge/create-document.ts';
import { getDocument } from '../../../src/domain/knowledge/documents.ts';
import { ingestDocument } from '../../../src/domain/knowledge/ingestion/ingest-document.ts';
import { reindex } from '../../../src/domain/knowledge/ingestion/reindex.ts';
import { searchKnowledge } from '../../../src/domain/knowledge/retrieval/search-knowledge.ts';
import { type OpenAiServer, startOpenAiServer } from '../../support/servers/openai-server.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let models: OpenAiServer;
let service: TestService;
let projectId: string;

beforeAll(async () => {
  models = await startOpenAiServer();
  const openAi = {
    baseUrl: models.baseUrl,
    apiKey: null,
    chatModel: null,
    embeddingModel: 'stand-in',
  };
  service = await startTestService({ openAi, isWorker: false });
  ({ projectId } = await service.createTenant());
});
afterAll(async () => {
  await service?.stop();
  await models?.close();
});

/** Makes the model return one vector with three dimensions. All its other vectors have 64. */
function scriptShortVector(): void {
  models.script({ body: JSON.stringify({ data: [{ index: 0, embedding: [1, 0, 0] }] }) });
}

async function ingest(name: string, content: string) {
  const { id } = await createDocument(service.system, { projectId, name, content });
  const attempt = { signal: new AbortController().signal, isLast: true, requestId: null };
  await ingestDocument(service.adapters, { projectId, documentId: id }, attempt);
  return getDocument(service.system, { projectId, id });
}

function search(query: string) {
  return searchKnowledge(service.system, { projectId, query });
}

const wrongSize = 'The embedding model returned a vector of 3 dimensions instead of 64';

test('a document whose vectors have another size fails, and searches of its project still work', async () => {
  expect(await ingest('Sauna.md', 'The sauna opens at 16:00.')).toMatchObject({ status: 'READY' });
  scriptShortVector();
  expect(await ingest('Pool.md', 'The pool opens at seven.')).toMatchObject({
    status: 'FAILED',
    errorCode: 'EMBEDDING_ERROR',
    errorMessage: wrongSize,
  });
  const [hit] = await search('When does the sauna open?');
  expect(hit).toMatchObject({ documentName: 'Sauna.md' });
});

test('a query vector of another size is an error of the model, and the next query works', async () => {
  scriptShortVector();
  await expect(search('When does the sauna open?')).rejects.toMatchObject({
    code: 'MODEL_ERROR',
    message: wrongSize,
  });
  expect(await search('When does the sauna open?')).toHaveLength(1);
});

test('two first documents with vectors of different sizes cannot both become READY', async () => {
  const empty = await startTestService({
    openAi: { ...models.chatModelConfig, chatModel: null, embeddingModel: 'stand-in' },
    isWorker: false,
  });
  try {
    const tenant = await empty.createTenant();
    const documents = await Promise.all(
      ['First.md', 'Second.md'].map((name) =>
        createDocument(empty.system, { projectId: tenant.projectId, name, content: 'The bar.' }),
      ),
    );
    const attempt = { signal: new AbortController().signal, isLast: true, requestId: null };
    scriptShortVector();
    const outcomes = await Promise.all(
      documents.map(({ id }) =>
        ingestDocument(empty.adapters, { projectId: tenant.projectId, documentId: id }, attempt),
      ),
    );
    expect(outcomes.sort()).toEqual(['FAILED', 'READY']);
  } finally {
    await empty.stop();
  }
});

test('reindex stops at a vector of another size and stores none', async () => {
  const { pool } = service.adapters;
  const vectors = 'select count(*)::int as count from grounded.chunk_vectors';
  await pool.query('delete from grounded.chunk_vectors');
  models.script({});
  scriptShortVector();
  await expect(reindex(service.system)).rejects.toMatchObject({ message: wrongSize });
  expect((await pool.query(vectors)).rows).toEqual([{ count: 0 }]);
  expect(await reindex(service.system)).toMatchObject({ embeddedChunks: 1 });
});
