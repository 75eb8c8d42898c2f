import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createApiKey } from '../../../src/domain/api-keys/api-keys.ts';
import { authenticateKey } from '../../../src/domain/api-keys/authenticate-key.ts';
import { createContext } from '../../../src/domain/context.ts';
import { createDocument } from '../../../src/domain/knowledge/create-document.ts';
import { deleteDocument } from '../../../src/domain/knowledge/delete-documents.ts';
import { getDocumentText } from '../../../src/domain/knowledge/document-text.ts';
import { getDocument } from '../../../src/domain/knowledge/documents.ts';
import {
  findEarlierDuplicate,
  keepDuplicate,
  replaceDuplicate,
} from '../../../src/domain/knowledge/duplicates.ts';
import { ingestDocument } from '../../../src/domain/knowledge/ingestion/ingest-document.ts';
import { replaceDocument } from '../../../src/domain/knowledge/replace-document.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

let service: TestService;
let projectId: string;
let organizationId: string;

beforeAll(async () => {
  service = await sharedService({ isWorker: false });
});
beforeEach(async () => {
  ({ projectId, organizationId } = await service.createTenant());
});

const content = 'The pool opens at seven.';
const create = (name: string, details: { externalId?: string; tags?: string[] } = {}) =>
  createDocument(service.system, { projectId, name, content, ...details });
const read = (id: string) => getDocument(service.system, { projectId, id });
const earlierOf = async (id: string, context = service.system) =>
  (await findEarlierDuplicate(context, await read(id)))?.name ?? null;
const ingest = (documentId: string) =>
  ingestDocument(
    service.adapters,
    { projectId, documentId },
    { signal: new AbortController().signal, isLast: false, requestId: null },
  );

test('the newer of two equal documents has an earlier one, and the first has none', async () => {
  const first = await create('Pool.txt');
  const second = await create('Pool again.txt');
  const third = await create('Pool once more.txt');
  expect(await Promise.all([first, second, third].map(({ id }) => earlierOf(id)))).toEqual([
    null,
    'Pool.txt',
    'Pool.txt',
  ]);
  const { projectId: other } = await service.createTenant();
  const elsewhere = await createDocument(service.system, {
    ...{ projectId: other, name: 'Pool.txt', content },
  });
  expect(await findEarlierDuplicate(service.system, elsewhere)).toBeNull();
  await deleteDocument(service.system, { projectId, id: first.id });
  expect(await earlierOf(third.id)).toBe('Pool again.txt');
});

test('one of two equal documents of the same time has an earlier one', async () => {
  const documents = await Promise.all([create('A.txt'), create('B.txt')]);
  const createdAt = new Date();
  const ids = documents.map(({ id }) => id);
  await service.system.db.document.updateMany({
    where: { projectId, id: { in: ids } },
    data: { createdAt },
  });
  const found = await Promise.all(ids.map((id) => earlierOf(id)));
  expect(found.filter((name) => name !== null)).toHaveLength(1);
});

test('documents of a source and with an externalId have none', async () => {
  await create('Pool.txt');
  const own = await create('Own.txt', { externalId: 'pool-1' });
  const copy = await create('Source.txt');
  const { id: sourceId } = await service.system.db.source.create({
    data: { id: crypto.randomUUID(), projectId, kind: 'WEBSITE', name: 'Help', config: {} },
  });
  await service.system.db.document.updateMany({
    where: { projectId, id: copy.id },
    data: { sourceId },
  });
  expect(await earlierOf(own.id)).toBeNull();
  expect(await earlierOf(copy.id)).toBeNull();
});

test('a key does not see an earlier document that its filter excludes', async () => {
  await create('Pool.txt', { tags: ['staff'] });
  const copy = await create('Copy.txt', { tags: ['guests'] });
  await ingest(copy.id);
  const { secret } = await createApiKey(service.system, {
    ...{ organizationId, projectId, name: 'Guests' },
    scopes: ['KNOWLEDGE_READ'],
    filter: { tags: { in: ['guests'] } },
  });
  const { caller } = await authenticateKey(service.system, `Bearer ${secret}`);
  const { signal } = new AbortController();
  const context = createContext(service.adapters, caller, { signal, requestId: null });
  expect(await findEarlierDuplicate(context, await read(copy.id))).toBeNull();
});

test('a kept document has none until its content is replaced', async () => {
  await create('Pool.txt');
  const { id } = await create('Copy.txt');
  await keepDuplicate(service.system, { projectId, documentId: id });
  expect(await earlierOf(id)).toBeNull();
  await replaceDocument(service.system, { projectId, id, name: 'Copy.txt', content: 'Closed.' });
  await replaceDocument(service.system, { projectId, id, name: 'Copy.txt', content });
  expect(await earlierOf(id)).toBe('Pool.txt');
});

test('a replacement keeps the earlier document under the new name', async () => {
  const first = await create('Pool.txt', { tags: ['guests'] });
  const copy = await create('Pool hours.md');
  const replaced = await replaceDuplicate(service.system, { projectId, documentId: copy.id });
  expect(replaced).toMatchObject({ id: first.id, name: 'Pool hours.md', tags: ['guests'] });
  await expect(read(copy.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await ingest(first.id);
  expect(await getDocumentText(service.system, { projectId, id: first.id })).toMatchObject({
    text: content,
  });
  await expect(
    replaceDuplicate(service.system, { projectId, documentId: first.id }),
  ).rejects.toMatchObject({
    code: 'CONFLICT',
  });
});

test('does not replace a document of a source', async () => {
  const first = await create('Pool.txt');
  const { id: sourceId } = await service.system.db.source.create({
    data: { id: crypto.randomUUID(), projectId, kind: 'WEBSITE', name: 'Help', config: {} },
  });
  await service.system.db.document.updateMany({
    where: { projectId, id: first.id },
    data: { sourceId },
  });
  const copy = await create('Copy.txt');
  await expect(
    replaceDuplicate(service.system, { projectId, documentId: copy.id }),
  ).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  expect(await earlierOf(copy.id)).toBe('Pool.txt');
});
