import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { createDocument } from '../../src/domain/knowledge/create-document.ts';
import { removeOrphanFiles } from '../../src/domain/knowledge/remove-orphan-files.ts';
import { localStorage } from '../../src/domain/storage/local-storage.ts';
import { type DocumentStorage, maxPage } from '../../src/domain/storage/storage.ts';
import { bucketName, supabaseStorage } from '../../src/domain/storage/supabase-storage.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type SupabaseProjectServer, startSupabaseProject } from '../support/supabase-project.ts';

let service: TestService;
let project: SupabaseProjectServer;
let root: string;
const { signal } = new AbortController();

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'orphans-test-'));
  project = await startSupabaseProject();
  service = await startTestService({ isWorker: false });
});
afterAll(async () => {
  await service?.stop();
  await project?.close();
  await rm(root, { recursive: true, force: true });
});

const old = new Date(Date.now() - 25 * 60 * 60 * 1000);

interface Kept {
  readonly storage: DocumentStorage;
  /** Makes a file a day old. */
  age(key: string): Promise<void>;
}

const adapters: readonly [string, () => Kept][] = [
  [
    'local files',
    () => ({
      storage: localStorage(join(root, 'files')),
      age: (key) => utimes(join(root, 'files', key), old, old),
    }),
  ],
  [
    'Supabase Storage',
    () => ({
      storage: supabaseStorage(project),
      async age(key) {
        const object = project.storage.buckets.get(bucketName)?.objects.get(key);
        if (object !== undefined) object.updatedAt = old;
      },
    }),
  ],
];

describe.each(adapters)('in %s', (_name, keep) => {
  test('files without a document go when they are a day old, and nothing else does', async () => {
    const { storage, age } = keep();
    const context = { ...service.system, storage };
    const { projectId } = await service.createTenant();
    const path = join(root, newId());
    await writeFile(path, 'x');
    const put = async (key: string) => {
      await storage.putFile(key, path);
      return key;
    };
    const orphans = Array.from({ length: maxPage + 5 }, () => `${projectId}/${newId()}`);
    for (let from = 0; from < orphans.length; from += 50) {
      await Promise.all(orphans.slice(from, from + 50).map(put));
    }
    const young = await put(`${projectId}/${newId()}`);
    const strange = await put(`${projectId}/${newId()}/${newId()}`);
    const others = await put(`${newId()}/${newId()}`);
    const { id } = await createDocument(context, { projectId, name: 'Kept', content: 'Hello' });
    const kept = `${projectId}/${id}`;
    // Another project's document is no reason to keep a file of this one.
    const { projectId: elsewhere } = await service.createTenant();
    orphans.push(await put(`${elsewhere}/${id}`));
    for (const key of [...orphans, strange, others, kept]) await age(key);

    await removeOrphanFiles(context, signal);
    const listed: string[] = [];
    for await (const page of storage.list()) listed.push(...page.map(({ key }) => key));
    const left = [kept, young, others];
    expect(listed.filter((key) => key !== strange).sort()).toEqual(left.sort());
    await removeOrphanFiles(context, signal);
    expect(await storage.localCopy({ key: kept, sizeBytes: 5 })).toHaveProperty('path');
  }, 60_000);

  test('nothing is removed when the database cannot say what is a document', async () => {
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
    await using copy = await storage.localCopy({ key, sizeBytes: 1 });
    expect(copy.path).toBeTruthy();
  });
});
