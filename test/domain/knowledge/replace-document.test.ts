import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApiKey } from '../../../src/domain/api-keys/api-keys.ts';
import { authenticateKey } from '../../../src/domain/api-keys/authenticate-key.ts';
import { type Adapters, type Context, createContext } from '../../../src/domain/context.ts';
import { changeDocument } from '../../../src/domain/knowledge/change-document.ts';
import { createDocument } from '../../../src/domain/knowledge/create-document.ts';
import { deleteDocument } from '../../../src/domain/knowledge/delete-documents.ts';
import { listDocumentChunks } from '../../../src/domain/knowledge/document-chunks.ts';
import { getDocumentText } from '../../../src/domain/knowledge/document-text.ts';
import { getDocument, listDocuments } from '../../../src/domain/knowledge/documents.ts';
import { ingestDocument } from '../../../src/domain/knowledge/ingestion/ingest-document.ts';
import { removeOrphanFiles } from '../../../src/domain/knowledge/remove-orphan-files.ts';
import { replaceDocument } from '../../../src/domain/knowledge/replace-document.ts';
import { searchKnowledge } from '../../../src/domain/knowledge/retrieval/search-knowledge.ts';
import { documentKey } from '../../../src/domain/knowledge/storage-key.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

let service: TestService;
let projectId: string;
let organizationId: string;

const attempt = { signal: new AbortController().signal, isLast: false, requestId: null };
const name = 'Pool.md';
const sections = (hour: string) =>
  `# Pool\n\nThe pool opens at ${hour}.\n\n# Bar\n\nThe bar has rum.\n\n# Sauna\n\nThe sauna has two rooms.`;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});
beforeEach(async () => {
  ({ projectId, organizationId } = await service.createTenant());
});

const create = (content = sections('seven'), externalId: string | null = null) =>
  createDocument(service.system, { projectId, name, content, externalId });
const replace = (id: string, content: string) =>
  replaceDocument(service.system, { projectId, id, name, content });
const ingest = (documentId: string, adapters: Adapters = service.adapters) =>
  ingestDocument(adapters, { projectId, documentId }, attempt);
const read = (id: string) => getDocument(service.system, { projectId, id });

async function opening(): Promise<string> {
  const hits = await searchKnowledge(service.system, {
    projectId,
    query: 'When does the pool open?',
  });
  return hits.map(({ content }) => /opens at (\w+)/.exec(content)?.[1]).find(Boolean) ?? 'none';
}

async function usedBytes(): Promise<number> {
  const { rows } = await service.adapters.pool.query(
    'select used_bytes::int as used from grounded.storage_usage where organization_id = $1',
    [organizationId],
  );
  return rows[0]?.used ?? 0;
}

async function jobs(name: string, id: string): Promise<number> {
  const { rows } = await service.adapters.pool.query(
    `select count(*)::int as count from grounded_jobs.job
     where name = $1 and (data ->> 'documentId' = $2 or data ->> 'key' like '%' || $2 || '%')`,
    [name, id],
  );
  return rows[0].count;
}

/** Returns adapters that count the embedded texts. */
async function countingAdapters() {
  const serving = await service.adapters.models.servingEmbedding();
  const { model } = serving;
  if (model === null) throw new Error('There is no embedding model');
  const embedded: string[] = [];
  const embed: typeof model.embed = (texts, options) => {
    embedded.push(...texts);
    return model.embed(texts, options);
  };
  const servingEmbedding = async () => ({ ...serving, model: { ...model, embed } as never });
  const models = { ...service.adapters.models, servingEmbedding };
  return { embedded, adapters: { ...service.adapters, models } };
}

describe('a replaced document', () => {
  test('serves its old chunks until the new ones are published', async () => {
    const { id } = await create();
    expect(await ingest(id)).toBe('READY');
    expect(await read(id)).toMatchObject({ version: 1, publishedVersion: 1 });
    const replaced = await replace(id, sections('nine'));
    expect(replaced).toMatchObject({ id, status: 'PROCESSING', version: 2, outcome: 'REPLACED' });
    expect(await opening()).toBe('seven');
    expect(await ingest(id)).toBe('READY');
    expect(await opening()).toBe('nine');
    expect(await read(id)).toMatchObject({ status: 'READY', version: 2, publishedVersion: 2 });
  });

  test('embeds only the chunks that changed, and keeps equal vectors', async () => {
    const { id } = await create();
    await ingest(id);
    const vectors = async () => {
      const { rows } = await service.adapters.pool.query(
        `select c.content, v.embedding::text as vector from grounded.chunks c
         join grounded.chunk_vectors v on v.project_id = c.project_id and v.chunk_id = c.id
         where c.document_id = $1 order by c.position`,
        [id],
      );
      return rows;
    };
    const before = await vectors();
    await replace(id, sections('nine'));
    const { embedded, adapters } = await countingAdapters();
    expect(await ingest(id, adapters)).toBe('READY');
    expect(embedded).toEqual([expect.stringContaining('opens at nine')]);
    const after = await vectors();
    expect(after).toHaveLength(3);
    expect(after.slice(1)).toEqual(before.slice(1));
    expect(after[0]).not.toEqual(before[0]);
  });

  test('embeds everything again under another title', async () => {
    const { id } = await create();
    await ingest(id);
    const content = sections('seven');
    await replaceDocument(service.system, { projectId, id, name: 'Wellness.md', content });
    const { embedded, adapters } = await countingAdapters();
    await ingest(id, adapters);
    expect(embedded).toHaveLength(3);
  });

  test('keeps everything but the details if its content is the same', async () => {
    const { id } = await create();
    await ingest(id);
    const before = await read(id);
    const tags = ['hours'];
    const same = { projectId, id, name, content: sections('seven'), tags };
    const replaced = await replaceDocument(service.system, same);
    expect(replaced).toMatchObject({ outcome: 'UNCHANGED', status: 'READY', version: 1, tags });
    expect(await read(id)).toMatchObject({ fileId: null, attempt: before.attempt });
    expect(await jobs('remove-file', id)).toBe(0);
    const updatedAt = replaced.updatedAt;
    expect((await replaceDocument(service.system, same)).updatedAt).toEqual(updatedAt);
  });

  test('serves its old chunks if the new content cannot be read', async () => {
    const { id } = await create();
    await ingest(id);
    await replace(id, '. . .');
    expect(await ingest(id)).toBe('FAILED');
    expect(await read(id)).toMatchObject({
      errorCode: 'EMPTY_TEXT',
      version: 2,
      publishedVersion: 1,
    });
    expect(await opening()).toBe('seven');
    await replace(id, sections('nine'));
    expect(await ingest(id)).toBe('READY');
    expect(await opening()).toBe('nine');
  });

  test('ends the ingestion of the version before', async () => {
    const { id } = await create();
    const { adapters } = await countingAdapters();
    const replacing: Adapters = {
      ...adapters,
      extractor: {
        ...adapters.extractor,
        async extract(...request) {
          const chunks = await adapters.extractor.extract(...request);
          await replace(id, sections('nine'));
          return chunks;
        },
      },
    };
    expect(await ingest(id, replacing)).toBeNull();
    expect(await read(id)).toMatchObject({
      status: 'PROCESSING',
      version: 2,
      publishedVersion: null,
    });
    expect(await opening()).toBe('none');
    expect(await ingest(id)).toBe('READY');
    expect(await opening()).toBe('nine');
  });

  test('counts the difference of the sizes, and its file is deleted with it', async () => {
    const { id } = await create();
    const longer = sections('half past nine in the morning');
    await replace(id, longer);
    expect(await usedBytes()).toBe(Buffer.byteLength(longer));
    expect(await jobs('remove-file', id)).toBe(1);
    await replace(id, sections('six'));
    expect(await usedBytes()).toBe(Buffer.byteLength(sections('six')));
    const { fileId } = await deleteDocument(service.system, { projectId, id });
    expect(await usedBytes()).toBe(0);
    expect(await jobs('remove-file', String(fileId))).toBe(1);
  });

  test('is refused without a trace if the storage is used up', async () => {
    const { id } = await create();
    await service.system.db.organization.update({
      where: { id: organizationId },
      data: { storageBytes: BigInt(200) },
    });
    await expect(replace(id, 'x'.repeat(201))).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(await read(id)).toMatchObject({ version: 1 });
    expect(await usedBytes()).toBe(Buffer.byteLength(sections('seven')));
  });

  test('keeps its file when orphans are removed, and loses the one of a dead request', async () => {
    const { id } = await create();
    await replace(id, sections('nine'));
    const { adapters } = service;
    const key = documentKey(await read(id));
    const orphan = `${projectId}/01980a3c-0000-7000-8000-000000000001`;
    await using copy = await adapters.storage.getLocalCopy(
      { key, sizeBytes: Buffer.byteLength(sections('nine')) },
      attempt.signal,
    );
    await adapters.storage.putFile(orphan, copy.path);
    await removeOrphanFiles(adapters, attempt.signal, { minAgeMs: -60_000 });
    expect((await stat(copy.path)).size).toBeGreaterThan(0);
    await expect(stat(join(copy.path, '..', orphan.split('/')[1] ?? ''))).rejects.toThrow('ENOENT');
  });

  test('is not found if it is deleted in the meantime', async () => {
    const { id } = await create();
    const deleting = deleteDocument(service.system, { projectId, id });
    const results = await Promise.allSettled([deleting, replace(id, sections('nine'))]);
    expect(results[0].status).toBe('fulfilled');
    await expect(read(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await usedBytes()).toBe(0);
  });
});

describe('a key with a filter that the replaced document matches', () => {
  const secret = 'The safe of the pool opens with 4711.';
  const notFound = { code: 'NOT_FOUND' };

  async function contextOfKey() {
    const filter = { tags: { in: ['public'] } };
    const { secret } = await createApiKey(service.system, {
      ...{ organizationId, projectId, name: 'Website', scopes: ['KNOWLEDGE_READ'], filter },
    });
    const { caller } = await authenticateKey(service.system, `Bearer ${secret}`);
    return createContext(service.adapters, caller, { signal: attempt.signal, requestId: null });
  }

  async function expectNothing(key: Context, id: string): Promise<void> {
    const chunks = { projectId, documentId: id, limit: 10, isInverted: false };
    expect(await searchKnowledge(key, { projectId, query: 'safe of the pool' })).toEqual([]);
    expect(await listDocuments(key, { projectId })).toEqual([]);
    await expect(listDocumentChunks(key, chunks)).rejects.toMatchObject(notFound);
    await expect(getDocumentText(key, { projectId, id })).rejects.toMatchObject(notFound);
  }

  test('never finds the text before, whatever becomes of the new one', async () => {
    const key = await contextOfKey();
    const { id } = await create(secret);
    await changeDocument(service.system, { projectId, id, tags: ['internal'] });
    await ingest(id);
    await expectNothing(key, id);
    const publish = (content: string) =>
      replaceDocument(service.system, { projectId, id, name, content, tags: ['public'] });
    await publish('. . .');
    await expectNothing(key, id);
    expect(await ingest(id)).toBe('FAILED');
    await expectNothing(key, id);
    const all = await searchKnowledge(service.system, { projectId, query: 'safe of the pool' });
    expect(all).toMatchObject([{ content: secret }]);

    await publish(sections('nine'));
    await expectNothing(key, id);
    expect(await ingest(id)).toBe('READY');
    expect((await getDocumentText(key, { projectId, id })).text).toContain('opens at nine');
    const found = await searchKnowledge(key, { projectId, query: 'When does the pool open?' });
    expect(found[0]?.content).toContain('opens at nine');
    expect(JSON.stringify(found)).not.toContain('4711');
  });

  test('sees a document that is processed for the first time', async () => {
    const key = await contextOfKey();
    const { id } = await create();
    await changeDocument(service.system, { projectId, id, tags: ['public'] });
    expect(await listDocuments(key, { projectId })).toMatchObject([{ id, status: 'PROCESSING' }]);
  });
});

describe('an external id', () => {
  test('that exists replaces its document', async () => {
    const first = await create(sections('seven'), 'page/1');
    expect(first).toMatchObject({ outcome: 'CREATED', externalId: 'page/1' });
    expect(await create(sections('seven'), 'page/1')).toMatchObject({
      id: first.id,
      outcome: 'UNCHANGED',
    });
    expect(await create(sections('nine'), 'page/1')).toMatchObject({
      id: first.id,
      outcome: 'REPLACED',
      version: 2,
    });
  });

  test('makes one document of many requests at once', async () => {
    const written = await Promise.all(
      Array.from({ length: 8 }, (_, n) => create(sections(`hour${n}`), 'page/2')),
    );
    expect(new Set(written.map(({ id }) => id)).size).toBe(1);
    const outcomes = written.map(({ outcome }) => outcome).sort();
    expect(outcomes).toEqual(['CREATED', ...Array(7).fill('REPLACED')]);
    const document = await read(written[0]?.id ?? '');
    expect(document.version).toBe(8);
    expect(await usedBytes()).toBe(Number(document.sizeBytes));
  });

  test('of another document is refused', async () => {
    await create(sections('seven'), 'a');
    const { id } = await create(sections('eight'), 'b');
    const change = { projectId, id, externalId: 'a' };
    await expect(changeDocument(service.system, change)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await expect(
      replaceDocument(service.system, { ...change, name, content: sections('ten') }),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await read(id)).toMatchObject({ externalId: 'b', version: 1 });
  });
});

test('changing details keeps the version, and null clears', async () => {
  const { id } = await create(sections('seven'), 'x');
  const metadata = { region: 'eu', year: 2024, tags: ['a'], isPublic: true };
  const details = { metadata, tags: ['hr', 'hr', 'it'], sourceUrl: 'https://example.com/a' };
  const changed = await changeDocument(service.system, { projectId, id, name: 'New', ...details });
  expect(changed).toMatchObject({ name: 'New', ...details, tags: ['hr', 'it'], version: 1 });
  const nothing = { externalId: null, metadata: null, tags: null, sourceUrl: null };
  expect(await changeDocument(service.system, { projectId, id, ...nothing })).toMatchObject({
    name: 'New',
    externalId: null,
    metadata: {},
    tags: [],
    sourceUrl: null,
  });
});

test.each([
  [{ metadata: { a: { b: 1 } } }, /^metadata values must be strings/],
  [{ metadata: { 'a b': 1 } }, /^metadata keys/],
  [{ metadata: { a: 'x'.repeat(1_025) } }, /^metadata values must be at most 1024/],
  [{ metadata: { a: Array(101).fill('x') } }, /^metadata values that are arrays/],
  [{ metadata: { a: 'x\0' } }, /^metadata values must not contain NUL/],
  [{ metadata: { a: Number('1e999') } }, /^metadata values must be finite/],
  [{ metadata: [1] }, /^metadata must be an object/],
  [
    { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n])) },
    /^metadata must have at most 50 keys/,
  ],
  [{ sourceUrl: 'javascript:alert(1)' }, /^sourceUrl must be an address/],
  [{ sourceUrl: 'http://' }, /^sourceUrl must be an address/],
  [{ tags: Array(21).fill('x') }, /^tags must have at most 20/],
  [{ tags: [' '] }, /^tags must not contain a blank/],
  [{ externalId: 'x'.repeat(256) }, /^externalId must be at most 255/],
  [{ externalId: ' ' }, /^externalId must not be blank/],
])('invalid details are refused: %j', async (details, message) => {
  const input = { projectId, name, content: 'Text', ...details };
  await expect(createDocument(service.system, input)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    messages: [expect.stringMatching(message)],
  });
});

test('a second document with the same content names the first', async () => {
  const first = await create();
  const second = await create();
  expect([first.duplicateOf, second.duplicateOf]).toEqual([null, first.id]);
  const third = await create(sections('nine'));
  expect(await replace(third.id, sections('seven'))).toMatchObject({ duplicateOf: first.id });
});
