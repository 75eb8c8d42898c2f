import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Adapters } from '../../../src/domain/context.ts';
import { createDocument } from '../../../src/domain/knowledge/create-document.ts';
import { deleteDocument } from '../../../src/domain/knowledge/delete-documents.ts';
import { getDocument, retryDocument } from '../../../src/domain/knowledge/documents.ts';
import { failDocument } from '../../../src/domain/knowledge/ingestion/fail-document.ts';
import { ingestDocument } from '../../../src/domain/knowledge/ingestion/ingest-document.ts';
import { searchKnowledge } from '../../../src/domain/knowledge/retrieval/search-knowledge.ts';
import type { EmbeddingModel } from '../../../src/models/models.ts';
import { diskFullError } from '../../../src/platform/errors.ts';
import { createUploadDirectory } from '../../../src/platform/storage/uploaded-file.ts';
import { addDocuments, waitForDocuments } from '../../support/knowledge.ts';
import type { Tenant, TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

let service: TestService;
let tenant: Tenant;
let projectId: string;

beforeAll(async () => {
  service = await sharedService();
  tenant = await service.createTenant();
  projectId = tenant.projectId;
});

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

test('a document becomes READY with all its chunks, each with a vector, and is searchable', async () => {
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

test('the text is extracted for the organization, whose files have processes of their own', async () => {
  const { id } = await makeProcessing('Bar.md');
  const groups: (string | undefined)[] = [];
  const { extractor } = service.adapters;
  const watched: Adapters = {
    ...service.adapters,
    extractor: {
      ...extractor,
      extract(file, options) {
        groups.push(options?.group);
        return extractor.extract(file, options);
      },
    },
  };
  await ingestDocument(watched, { projectId, documentId: id }, attempt);
  expect(groups).toEqual([tenant.organizationId]);
});

test('a document waits while the disk is full, and is READY when there is room', async () => {
  const [document] = await addDocuments(service, projectId, { 'Waiting.md': text });
  const ref = { projectId, documentId: document?.id ?? '' };
  const { db } = service.system;
  const where = { id: ref.documentId };
  await db.document.update({ where, data: { status: 'PROCESSING' } });
  const requireSpace = () => {
    throw diskFullError();
  };
  const full = { ...service.adapters, disk: { requireSpace, stop: () => {} } };
  for (let time = 0; time < 10; time += 1) {
    expect(await ingestDocument(full, ref, { ...attempt, isLast: true })).toBe('WAITING');
  }
  expect(await db.document.findFirstOrThrow({ where })).toMatchObject({
    status: 'PROCESSING',
    waitingReason: expect.stringContaining('disk of the service is full'),
  });
  expect(await ingestDocument(service.adapters, ref, attempt)).toBe('READY');
});

test('a document waits if the full disk prevents the start of its attempt', async () => {
  const [document] = await addDocuments(service, projectId, { 'Not started.md': text });
  const ref = { projectId, documentId: document?.id ?? '' };
  const { db } = service.system;
  const where = { id: ref.documentId };
  await db.document.update({ where, data: { status: 'PROCESSING' } });
  await service.ownerPool.query(`
    create function grounded.fail_attempts() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = '53100'; end $$;
    create trigger fail_attempts before update on grounded.documents for each row
      when (new.attempt > old.attempt and new.id = '${ref.documentId}') execute function grounded.fail_attempts()`);
  try {
    const outcome = await ingestDocument(service.adapters, ref, { ...attempt, isLast: true });
    expect(outcome).toBe('WAITING');
  } finally {
    await service.ownerPool.query('drop function grounded.fail_attempts cascade');
  }
  expect(await db.document.findFirstOrThrow({ where })).toMatchObject({
    status: 'PROCESSING',
    waitingReason: expect.stringContaining('disk of the service is full'),
  });
  expect(await ingestDocument(service.adapters, ref, attempt)).toBe('READY');
});

test('ingesting a READY document again changes nothing', async () => {
  const [document] = await addDocuments(service, projectId, { 'Again.md': text });
  const documentId = document?.id ?? '';
  const before = await chunksOf(documentId);
  await ingestDocument(service.adapters, { projectId, documentId }, attempt);
  expect((await chunksOf(documentId)).rows).toEqual(before.rows);
});

test('of two concurrent runs the one started last completes, and there is one set of chunks', async () => {
  const idle = await sharedService({ isWorker: false });
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
});

test('the more documents of a project wait, the later comes its next one', async () => {
  const idle = await sharedService({ isWorker: false });
  const { projectId, organizationId } = await idle.createTenant();
  for (const name of ['One.md', 'Two.md', 'Three.md']) {
    await createDocument(idle.system, { projectId, name, content: `${name}: ${text}` });
  }
  const { rows } = await idle.adapters.pool.query(
    `select priority, group_id as group from grounded_jobs.job
     where name = 'ingest-document' and data ->> 'projectId' = $1 order by created_on`,
    [projectId],
  );
  expect(rows.map(({ priority }) => priority)).toEqual([-1, -2, -3]);
  expect(rows.every(({ group }) => group === organizationId)).toBe(true);
});

describe('an unreadable document', () => {
  test('is FAILED with its reason, and READY after a retry once it is readable', async () => {
    const { projectId } = await service.createTenant();
    const [document] = await addDocuments(service, projectId, {
      'Blank.md': '<!-- nothing to read -->'.padEnd(text.length),
    });
    expect(document).toMatchObject({ status: 'FAILED', errorCode: 'EMPTY_TEXT', chunkCount: 0 });
    const id = document?.id ?? '';

    await replaceOriginal(service, `${projectId}/${id}`);
    expect(await retryDocument(service.system, { projectId, id })).toMatchObject({
      status: 'PROCESSING',
      errorCode: null,
    });
    const [ready] = await waitForDocuments(service, projectId, [id]);
    expect(ready).toMatchObject({ status: 'READY' });
    await expect(retryDocument(service.system, { projectId, id })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });

  test('is FAILED after the last attempt on an internal error', async () => {
    const { id } = await makeProcessing('Ours.md');
    const broken: Adapters = {
      ...service.adapters,
      storage: {
        ...service.adapters.storage,
        getLocalCopy: () => Promise.reject(new Error('disk')),
      },
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

  test('is FAILED if every attempt crashed', async () => {
    const { id } = await makeProcessing('Died.md');
    await failDocument(service.adapters, { projectId, documentId: id }, attempt);
    expect(await getDocument(service.system, { projectId, id })).toMatchObject({
      status: 'FAILED',
      errorCode: 'INTERNAL',
    });
  });
});

/** Replaces the uploaded file with `text`. */
async function replaceOriginal({ adapters }: TestService, key: string): Promise<void> {
  const directory = await createUploadDirectory();
  const path = join(directory, 'content');
  await writeFile(path, text);
  await adapters.storage.putFile(key, path);
  await rm(directory, { recursive: true });
}

/**
 * Inserts a PROCESSING document without a job, so that the test decides when it is processed. No stored vector can be
 * reused for its text.
 */
async function makeProcessing(name: string) {
  const [document] = await addDocuments(service, projectId, { [name]: text });
  return service.system.db.document.update({
    where: { id: document?.id ?? '' },
    data: { status: 'PROCESSING', publishedName: null },
  });
}

describe('a deleted document', () => {
  test('is deleted with its chunks, vectors and file, and is not searchable anymore', async () => {
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
            .getLocalCopy({ key: `${projectId}/${id}`, sizeBytes: text.length })
            .then(
              () => true,
              () => false,
            ),
        { timeout: 20_000 },
      )
      .toBe(false);
  });

  test('is not restored by a run in progress', async () => {
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

  test('stops its extraction, and nothing is embedded', async () => {
    const { id } = await makeProcessing('Deleted while it is read.md');
    const tokensBefore = await embeddedTokens();
    const reading = Promise.withResolvers<void>();
    const hanging: Adapters = {
      ...service.adapters,
      extractor: {
        ...service.adapters.extractor,
        extract: (_file, { signal } = {}) =>
          new Promise((_resolve, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason));
            reading.resolve();
          }),
      },
    };
    const ingesting = ingestDocument(hanging, { projectId, documentId: id }, attempt);
    await reading.promise;
    await deleteDocument(service.system, { projectId, id });
    expect(await ingesting).toBeNull();
    expect(await embeddedTokens()).toBe(tokensBefore);
  });

  test('stops its embedding', async () => {
    const { id } = await makeProcessing('Deleted while it is embedded.md');
    const embedding = Promise.withResolvers<void>();
    const serving = await service.adapters.models.servingEmbedding();
    if (serving.model === null) throw new Error('There is no embedding model');
    const model: EmbeddingModel = {
      ...serving.model,
      embed: (_texts, { signal } = {}) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('the request was cancelled')));
          embedding.resolve();
        }),
    };
    const hanging: Adapters = {
      ...service.adapters,
      models: {
        ...service.adapters.models,
        servingEmbedding: () => Promise.resolve({ ...serving, model }),
      },
    };
    const ingesting = ingestDocument(hanging, { projectId, documentId: id }, attempt);
    await embedding.promise;
    await deleteDocument(service.system, { projectId, id });
    expect(await ingesting).toBeNull();
  });

  async function embeddedTokens(): Promise<number> {
    await service.adapters.tokenCounter.flush();
    const { rows } = await service.adapters.pool.query(
      'select coalesce(sum(embedding_tokens), 0)::int as tokens from grounded.usage_days where organization_id = $1',
      [tenant.organizationId],
    );
    return rows[0].tokens;
  }
});

test('documents of another project are never found, whichever project has more', async () => {
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
