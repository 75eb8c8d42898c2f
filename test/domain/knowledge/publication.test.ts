import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Adapters } from '../../../src/domain/context.ts';
import { createDocument } from '../../../src/domain/knowledge/create-document.ts';
import { listDocumentChunks } from '../../../src/domain/knowledge/document-chunks.ts';
import { getDocument } from '../../../src/domain/knowledge/documents.ts';
import { failDocument } from '../../../src/domain/knowledge/ingestion/fail-document.ts';
import { ingestDocument } from '../../../src/domain/knowledge/ingestion/ingest-document.ts';
import { searchKnowledge } from '../../../src/domain/knowledge/retrieval/search-knowledge.ts';
import type { EmbeddingModel } from '../../../src/models/models.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

let service: TestService;
let projectId: string;
let documentId: string;

const attempt = { signal: new AbortController().signal, isLast: false, requestId: null };
const sentences = Array.from({ length: 4_000 }, (_, n) => `Room ${n} has a view of garden ${n}.`);
const content = sentences.map((line, n) => (n % 4 === 3 ? `${line}\n\n` : line)).join(' ');

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});
beforeEach(async () => {
  ({ projectId } = await service.createTenant());
  documentId = (await createDocument(service.system, { projectId, name: 'Rooms.txt', content })).id;
});

/**
 * Returns adapters with a model that has the name and the dimensions of the built-in model. `onCall` runs before each
 * call and receives its number, from 1.
 */
async function adaptersWith(onCall: (call: number) => Promise<void>): Promise<Adapters> {
  const serving = await service.adapters.models.servingEmbedding();
  if (serving.model === null) throw new Error('There is no embedding model');
  let calls = 0;
  const embed: EmbeddingModel['embed'] = async (texts) => {
    calls += 1;
    await onCall(calls);
    const vectors = texts.map((_, n) => new Float32Array(384).fill(0).with(n % 384, 1));
    return { vectors, tokens: texts.length };
  };
  const servingEmbedding = async () => ({
    ...serving,
    model: { ...serving.model, embed } as never,
  });
  return { ...service.adapters, models: { ...service.adapters.models, servingEmbedding } };
}

const ingest = (adapters: Adapters) => ingestDocument(adapters, { projectId, documentId }, attempt);

const found = async () =>
  (
    await searchKnowledge(service.system, {
      projectId,
      query: 'Which room has a view of garden 7?',
    })
  ).length;

const listed = () =>
  listDocumentChunks(service.system, { projectId, documentId, limit: 10, isInverted: false });

async function counts() {
  const { rows } = await service.adapters.pool.query(
    `select (select count(*)::int from grounded.chunks where document_id = $1) as chunks,
       (select count(distinct position)::int from grounded.chunks where document_id = $1) as positions,
       (select count(*)::int from grounded.hidden_chunks where document_id = $1) as hidden,
       (select count(*)::int from grounded.chunk_vectors v join grounded.chunks c
          on c.project_id = v.project_id and c.id = v.chunk_id where c.document_id = $1) as vectors`,
    [documentId],
  );
  return rows[0];
}

async function expectComplete(): Promise<void> {
  const { chunkCount, status } = await getDocument(service.system, { projectId, id: documentId });
  expect(status).toBe('READY');
  expect(chunkCount).toBeGreaterThan(288);
  expect(await counts()).toEqual({
    chunks: chunkCount,
    positions: chunkCount,
    vectors: chunkCount,
    hidden: 0,
  });
}

test('searches find a large document only when all its chunks are stored', async () => {
  const rest = Promise.withResolvers<void>();
  const ingesting = ingest(
    await adaptersWith((call) => (call === 2 ? rest.promise : Promise.resolve())),
  );
  await expect.poll(async () => (await counts()).chunks, { timeout: 20_000 }).toBeGreaterThan(250);
  expect(await found()).toBe(0);
  expect(await listed()).toEqual([]);
  rest.resolve();
  expect(await ingesting).toBe('READY');
  expect(await found()).toBeGreaterThan(0);
  expect(await listed()).toHaveLength(10);
  await expectComplete();
}, 60_000);

test('an attempt that stops half-way leaves nothing visible, and the next one is complete', async () => {
  const broken = await adaptersWith(async (call) => {
    if (call === 2) throw new Error('The process stops here');
  });
  await expect(ingest(broken)).rejects.toThrow('stops here');
  expect((await counts()).chunks).toBeGreaterThan(0);
  expect(await found()).toBe(0);
  expect(await ingest(await adaptersWith(async () => {}))).toBe('READY');
  await expectComplete();
}, 60_000);

test('a document that failed for good keeps no chunks', async () => {
  const broken = await adaptersWith(async (call) => {
    if (call === 2) throw new Error('The process stops here');
  });
  await expect(ingest(broken)).rejects.toThrow('stops here');
  await failDocument(service.adapters, { projectId, documentId }, attempt);
  expect(await counts()).toMatchObject({ chunks: 0, hidden: 0 });
}, 60_000);

test('the chunks of a new attempt replace those of a published one', async () => {
  expect(await ingest(await adaptersWith(async () => {}))).toBe('READY');
  const [first] = await listed();
  const where = { id: documentId, projectId };
  // Under another title, the stored vectors cannot be reused.
  const data = { status: 'PROCESSING', name: 'Suites.txt' } as const;
  await service.system.db.document.updateMany({ where, data });
  let served: object | undefined;
  const again = await adaptersWith(async (call) => {
    if (call === 2) [served] = await listed();
  });
  expect(await ingest(again)).toBe('READY');
  // Searches find the old chunks until all new chunks are stored.
  expect(served).toEqual(first);
  expect((await listed())[0]?.id).not.toBe(first?.id);
  await expectComplete();
}, 60_000);
