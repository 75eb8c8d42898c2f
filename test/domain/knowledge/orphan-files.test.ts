import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDocument } from '../../../src/domain/knowledge/create-document.ts';
import { removeOrphanFiles } from '../../../src/domain/knowledge/remove-orphan-files.ts';
import { newId } from '../../../src/platform/ids.ts';
import {
  type DocumentStorage,
  maxPageSize,
} from '../../../src/platform/storage/document-storage.ts';
import { createLocalStorage } from '../../../src/platform/storage/local-storage.ts';
import {
  bucketName,
  createSupabaseStorage,
} from '../../../src/platform/storage/supabase-storage.ts';
import {
  type SupabaseProjectServer,
  startSupabaseProject,
} from '../../support/servers/supabase-project.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';

let service: TestService;
let project: SupabaseProjectServer;
let root: string;
const { signal } = new AbortController();

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'orphans-test-'));
  project = await startSupabaseProject();
  service = await sharedService({ isWorker: false });
});
afterAll(async () => {
  await project?.close();
  await rm(root, { recursive: true, force: true });
});

const old = new Date(Date.now() - 25 * 60 * 60 * 1000);

interface TestStorage {
  readonly storage: DocumentStorage;
  /** Sets the modification time of the file to one day ago. */
  age(key: string): Promise<void>;
}

const adapters: readonly [string, () => TestStorage][] = [
  [
    'local files',
    () => ({
      storage: createLocalStorage(join(root, 'files')),
      age: (key) => utimes(join(root, 'files', key), old, old),
    }),
  ],
  [
    'Supabase Storage',
    () => ({
      storage: createSupabaseStorage(project),
      async age(key) {
        const object = project.storage.buckets.get(bucketName)?.objects.get(key);
        if (object !== undefined) object.updatedAt = old;
      },
    }),
  ],
];

describe.each(adapters)('in %s', (_name, keep) => {
  test('files without a document are deleted after one day, and nothing else', async () => {
    const { storage, age } = keep();
    const context = { ...service.system, storage };
    const { projectId } = await service.createTenant();
    const path = join(root, newId());
    await writeFile(path, 'x');
    const put = async (key: string) => {
      await storage.putFile(key, path);
      return key;
    };
    const orphans = Array.from({ length: maxPageSize + 5 }, () => `${projectId}/${newId()}`);
    for (let from = 0; from < orphans.length; from += 50) {
      await Promise.all(orphans.slice(from, from + 50).map(put));
    }
    const young = await put(`${projectId}/${newId()}`);
    const strange = await put(`${projectId}/${newId()}/${newId()}`);
    const others = await put(`${newId()}/${newId()}`);
    const { id } = await createDocument(context, { projectId, name: 'Kept', content: 'Hello' });
    const kept = `${projectId}/${id}`;
    // A document has this id, but in another project. So the file is an orphan.
    const { projectId: elsewhere } = await service.createTenant();
    orphans.push(await put(`${elsewhere}/${id}`));
    for (const key of [...orphans, strange, others, kept]) await age(key);

    await removeOrphanFiles(context, signal);
    const listed: string[] = [];
    for await (const page of storage.list()) listed.push(...page.map(({ key }) => key));
    const left = [kept, young, others];
    expect(listed.filter((key) => key !== strange).sort()).toEqual(left.sort());
    await removeOrphanFiles(context, signal);
    expect(await storage.getLocalCopy({ key: kept, sizeBytes: 5 })).toHaveProperty('path');
  }, 60_000);

  test('nothing is deleted if the database cannot list the documents', async () => {
    const { storage, age } = keep();
    const { projectId } = await service.createTenant();
    const path = join(root, newId());
    await writeFile(path, 'x');
    const key = `${projectId}/${newId()}`;
    await storage.putFile(key, path);
    await age(key);
    const leaving = new AbortController();
    leaving.abort(new Error('stopped'));
    await expect(
      removeOrphanFiles({ ...service.adapters, storage }, leaving.signal),
    ).rejects.toThrow('stopped');
    await using copy = await storage.getLocalCopy({ key, sizeBytes: 1 });
    expect(copy.path).toBeTruthy();
  });
});
