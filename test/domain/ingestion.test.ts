import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Adapters } from '../../src/domain/context.ts';
import { createDocument } from '../../src/domain/knowledge/create-document.ts';
import {
  deleteDocument,
  getDocument,
  retryDocument,
} from '../../src/domain/knowledge/documents.ts';
import { failDocument, ingestDocument } from '../../src/domain/knowledge/ingest-document.ts';
import { searchKnowledge } from '../../src/domain/knowledge/search-knowledge.ts';
import { makeIncomingDirectory } from '../../src/domain/knowledge/uploaded-file.ts';
import { addDocuments, settled } from '../support/knowledge.ts';
import { startTestService, type Tenant, type TestService } from '../support/service.ts';

let service: TestService;
let tenant: Tenant;
let projectId: string;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.createTenant();
  projectId = tenant.projectId;
});
afterAll(() => service?.stop());

const attempt = { signal: new AbortController().signal, isLast: false, requestId: null };
const text =
  '# Pool\n\nThe pool opens at seven. Children swim until six.\n\n# Bar\n\nThe bar has rum.';

function chunksOf(documentId: string) {
  return service.adapters.pool.query(
    `select c.position, c.content, v.embedding is not null as embedded
     from grounded.chunks c left join grounded.chunk_vectors v on v.chunk_id = c.id
     where c.document_id = $1 order by c.position`,
    [documentId],
  );
}

test('a document becomes READY with all its chunks, each with a vector, and can be found', async () => {
  const [document] = await addDocuments(service, projectId, { 'Pool.md': text });
  expect(document).toMatchObject({ status: 'READY', mimeType: 'text/markdown', errorCode: null });
  const { rows } = await chunksOf(document?.id ?? '');
  expect(rows).toHaveLength(document?.chunkCount ?? -1);
  expect(rows.every(({ embedded }) => embedded)).toBe(true);
  expect(document?.tokenCount).toBeGreaterThan(0);

  const [hit] = await searchKnowledge(service.system, {
    projectId,
    query: 'until when may children swim?',
  });
  expect(hit).toMatchObject({
    documentId: document?.id,
    content: expect.stringContaining('until six'),
  });
});

test('ingesting again changes nothing, once READY', async () => {
  const [document] = await addDocuments(service, projectId, { 'Again.md': text });
  const documentId = document?.id ?? '';
  const before = await chunksOf(documentId);
  await ingestDocument(service.adapters, { projectId, documentId }, attempt);
  expect((await chunksOf(documentId)).rows).toEqual(before.rows);
});

test('of two runs at once the one that started last finishes, and there is one set of chunks', async () => {
  const idle = await startTestService({ isWorker: false });
  try {
    const { projectId } = await idle.createTenant();
    const document = await createDocument(idle.system, {
      projectId,
      name: 'Two.md',
      content: text,
    });
    const ref = { projectId, documentId: document.id };
    await Promise.all([1, 2, 3].map(() => ingestDocument(idle.adapters, ref, attempt)));
    const stored = await getDocument(idle.system, { projectId, id: document.id });
    expect(stored).toMatchObject({ status: 'READY' });
    const { rows } = await idle.adapters.pool.query(
      'select count(*)::int as count from grounded.chunks where document_id = $1',
      [document.id],
    );
    expect(rows[0].count).toBe(stored.chunkCount);
  } finally {
    await idle.stop();
  }
});

describe('a document that cannot be read', () => {
  test('is FAILED with its reason, and READY after a retry once it can be', async () => {
    const idle = await startTestService();
    try {
      const { projectId } = await idle.createTenant();
      const [document] = await addDocuments(idle, projectId, {
        'Blank.md': '<!-- nothing to read -->'.padEnd(text.length),
      });
      expect(document).toMatchObject({ status: 'FAILED', errorCode: 'EMPTY_TEXT', chunkCount: 0 });
      const id = document?.id ?? '';

      await replaceOriginal(idle, `${projectId}/${id}`);
      expect(await retryDocument(idle.system, { projectId, id })).toMatchObject({
        status: 'PROCESSING',
        errorCode: null,
      });
      const [ready] = await settled(idle, projectId, [id]);
      expect(ready).toMatchObject({ status: 'READY' });
      await expect(retryDocument(idle.system, { projectId, id })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
      });
    } finally {
      await idle.stop();
    }
  });

  test('is FAILED after the last try when the trouble is ours', async () => {
    const { id } = await makeProcessing('Ours.md');
    const broken: Adapters = {
      ...service.adapters,
      storage: { ...service.adapters.storage, localCopy: () => Promise.reject(new Error('disk')) },
    };
    const ref = { projectId, documentId: id };
    await expect(ingestDocument(broken, ref, attempt)).rejects.toThrow('disk');
    expect(await getDocument(service.system, { projectId, id })).toMatchObject({
      status: 'PROCESSING',
    });
    await ingestDocument(broken, ref, { ...attempt, isLast: true });
    const failed = await getDocument(service.system, { projectId, id });
    expect(failed).toMatchObject({ status: 'FAILED', errorCode: 'INTERNAL' });
    expect(failed.errorMessage).not.toContain('disk');
  });

  test('is FAILED when every try has died', async () => {
    const { id } = await makeProcessing('Died.md');
    await failDocument(service.adapters, { projectId, documentId: id }, attempt);
    expect(await getDocument(service.system, { projectId, id })).toMatchObject({
      status: 'FAILED',
      errorCode: 'INTERNAL',
    });
  });
});

/** Puts `text` in the place of what was uploaded. */
async function replaceOriginal({ adapters }: TestService, key: string): Promise<void> {
  const directory = await makeIncomingDirectory();
  const path = join(directory, 'content');
  await writeFile(path, text);
  await adapters.storage.putFile(key, path);
  await rm(directory, { recursive: true });
}

/** A document whose job has been lost, for runs by hand. */
async function makeProcessing(name: string) {
  const [document] = await addDocuments(service, projectId, { [name]: text });
  return service.system.db.document.update({
    where: { id: document?.id ?? '' },
    data: { status: 'PROCESSING' },
  });
}

describe('a deleted document', () => {
  test('takes its chunks, vectors and file along, and is not found any more', async () => {
    const [document] = await addDocuments(service, projectId, { 'Gone.md': text });
    const id = document?.id ?? '';
    await deleteDocument(service.system, { projectId, id });
    expect((await chunksOf(id)).rows).toEqual([]);
    await expect(deleteDocument(service.system, { projectId, id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect
      .poll(
        () =>
          service.adapters.storage
            .localCopy({ key: `${projectId}/${id}`, sizeBytes: text.length })
            .then(
              () => true,
              () => false,
            ),
        { timeout: 20_000 },
      )
      .toBe(false);
  });

  test('is not brought back by a run that was under way', async () => {
    const { id } = await makeProcessing('Deleted in the middle.md');
    const slow: Adapters = {
      ...service.adapters,
      extractor: {
        ...service.adapters.extractor,
        async extract(file, options) {
          const extracted = await service.adapters.extractor.extract(file, options);
          await deleteDocument(service.system, { projectId, id });
          return extracted;
        },
      },
    };
    await ingestDocument(slow, { projectId, documentId: id }, attempt);
    expect((await chunksOf(id)).rows).toEqual([]);
  });
});

test('documents of another project are never found, whoever has more of them', async () => {
  const small = await service.createTenant();
  const large = await service.createTenant();
  await addDocuments(service, small.projectId, { 'Small.md': 'The keys are at the reception.' });
  await addDocuments(
    service,
    large.projectId,
    Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [
        `Large ${n}.md`,
        `The keys of room ${n} are at the reception.`,
      ]),
    ),
  );
  const hits = await searchKnowledge(service.system, {
    projectId: small.projectId,
    query: 'Where are the keys?',
    limit: 10,
  });
  expect(hits.map(({ documentName }) => documentName)).toEqual(['Small.md']);
});
