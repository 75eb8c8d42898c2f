import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { isIncomingDirectory } from '../../src/domain/knowledge/uploaded-file.ts';
import { localStorage } from '../../src/domain/storage/local-storage.ts';
import {
  type DocumentStorage,
  maxPage,
  type StoredFile,
} from '../../src/domain/storage/storage.ts';
import { bucketName, supabaseStorage } from '../../src/domain/storage/supabase-storage.ts';
import { type SupabaseProjectServer, startSupabaseProject } from '../support/supabase-project.ts';

let root: string;
let project: SupabaseProjectServer;
let temporary: string | undefined;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'storage-test-'));
  temporary = process.env.TMPDIR;
  process.env.TMPDIR = root;
  project = await startSupabaseProject();
});
afterAll(async () => {
  if (temporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporary;
  await project.close();
  await rm(root, { recursive: true });
});

const patience = { idleMs: 15_000, limitMs: 60_000, pauseMs: 10 };

const supabase = () => supabaseStorage({ ...project, patience });
/** For a storage that says nothing, or little. */
const impatient = { ...patience, idleMs: 1_000 };

const adapters: readonly [string, () => DocumentStorage][] = [
  ['local files', () => localStorage(join(root, 'files'))],
  ['Supabase Storage', supabase],
];

function newKey(): string {
  return `${newId()}/${newId()}`;
}

async function fileOf(bytes: Uint8Array): Promise<string> {
  const path = join(root, newId());
  await writeFile(path, bytes);
  return path;
}

async function contentOf(storage: DocumentStorage, key: string, sizeBytes: number) {
  await using copy = await storage.localCopy({ key, sizeBytes });
  return await readFile(copy.path);
}

async function put(storage: DocumentStorage, content = 'original'): Promise<string> {
  const key = newKey();
  await storage.putFile(key, await fileOf(Buffer.from(content)));
  return key;
}

async function pagesOf(storage: DocumentStorage): Promise<(readonly StoredFile[])[]> {
  const pages: (readonly StoredFile[])[] = [];
  for await (const page of storage.list()) pages.push(page);
  return pages;
}

async function keysOf(storage: DocumentStorage): Promise<string[]> {
  const pages = await pagesOf(storage);
  return pages.flatMap((page) => page.map(({ key }) => key));
}

describe.each(adapters)('%s', (_name, makeStorage) => {
  let storage: DocumentStorage;

  beforeAll(() => {
    storage = makeStorage();
  });

  test.each([0, 1, 3_000_000])('keeps %i bytes as they are', async (size) => {
    const bytes = randomBytes(size);
    const key = newKey();
    await storage.putFile(key, await fileOf(bytes));
    expect((await contentOf(storage, key, size)).equals(bytes)).toBe(true);
  });

  test('replaces what was under the key', async () => {
    const key = await put(storage, 'first');
    await storage.putFile(key, await fileOf(Buffer.from('second')));
    expect(String(await contentOf(storage, key, 6))).toBe('second');
  });

  test('has none of what was never stored, or has been removed', async () => {
    const missing = { code: 'NOT_FOUND' };
    await expect(storage.localCopy({ key: newKey(), sizeBytes: 1 })).rejects.toMatchObject(missing);
    const key = await put(storage);
    await storage.remove([key, newKey()]);
    await storage.remove([key]);
    await storage.remove([]);
    await expect(storage.localCopy({ key, sizeBytes: 8 })).rejects.toMatchObject(missing);
  });

  test.each(['short', 'longer than it was'])('gives no copy of what is %s', async (content) => {
    const key = await put(storage, content);
    await expect(storage.localCopy({ key, sizeBytes: 8 })).rejects.toThrow('another size');
  });

  test('lists all there is in pages, with the time of each', async () => {
    const projectId = newId();
    const count = maxPage + 3;
    const path = await fileOf(Buffer.from('x'));
    const keys = Array.from({ length: count }, () => `${projectId}/${newId()}`);
    for (let from = 0; from < count; from += 50) {
      await Promise.all(keys.slice(from, from + 50).map((key) => storage.putFile(key, path)));
    }
    const pages = await pagesOf(storage);
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(maxPage);
    const listed = pages.flat().filter(({ key }) => keys.includes(key));
    expect(listed.map(({ key }) => key).sort()).toEqual(keys.sort());
    for (const { storedAt } of listed) {
      expect(Math.abs(storedAt.getTime() - Date.now())).toBeLessThan(60_000);
    }
    await storage.remove(keys.slice(0, maxPage));
    await storage.remove(keys.slice(maxPage));
    const left = await keysOf(storage);
    expect(left.filter((key) => key.startsWith(projectId))).toEqual([]);
  }, 60_000);

  test('says that it is well', async () => {
    expect(await storage.check()).toBeUndefined();
  });

  test('leaves nothing behind of a copy that was disposed of', async () => {
    const before = (await readdir(root)).filter(isIncomingDirectory);
    await contentOf(storage, await put(storage), 8);
    expect((await readdir(root)).filter(isIncomingDirectory)).toEqual(before);
  });
});

describe('Supabase Storage', () => {
  const gone = { code: 'UNAVAILABLE', retryable: true };

  beforeEach(() => project.storage.fault(null));

  const bucket = () => project.storage.buckets.get(bucketName);

  test('makes its bucket when it is missing: private, for bytes alone, with a limit', async () => {
    project.storage.buckets.clear();
    await supabase().check();
    expect(bucket()).toMatchObject({
      isPublic: false,
      fileSizeLimit: 100_000_000,
      allowedMimeTypes: ['application/octet-stream'],
    });
    project.storage.buckets.clear();
    const storage = supabase();
    const keys = await Promise.all([put(storage), put(storage), put(storage)]);
    expect([...(bucket()?.objects.keys() ?? [])].sort()).toEqual(keys.sort());
  });

  test('makes its bucket again when somebody has removed it', async () => {
    const storage = supabase();
    await put(storage);
    project.storage.buckets.clear();
    expect(await keysOf(storage)).toEqual([]);
    await storage.remove([newKey()]);
    const key = await put(storage).catch(() => put(storage));
    expect(await keysOf(storage)).toEqual([key]);
  });

  test('does not use a bucket that is public', async () => {
    const limits = { fileSizeLimit: null, allowedMimeTypes: null };
    project.storage.buckets.set(bucketName, { ...limits, isPublic: true, objects: new Map() });
    const storage = supabase();
    await expect(put(storage)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(storage.check()).rejects.toThrow('public');
    expect(bucket()?.objects.size).toBe(0);
    project.storage.buckets.clear();
  });

  test('takes the limit of a project that is lower than its own, and tells who goes beyond', async () => {
    const small = await startSupabaseProject({ sizeLimit: 1_000 });
    try {
      const storage = supabaseStorage({ ...small, patience });
      await storage.check();
      expect(small.storage.buckets.get(bucketName)).toMatchObject({ fileSizeLimit: null });
      const large = storage.putFile(newKey(), await fileOf(randomBytes(1_001)));
      await expect(large).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
      expect(await keysOf(storage)).toEqual([]);
    } finally {
      await small.close();
    }
  });

  test('is not available with a wrong key, and asks once', async () => {
    const storage = supabaseStorage({ ...project, secretKey: 'sb_secret_wrong', patience });
    const before = project.storage.requests;
    await expect(storage.check()).rejects.toMatchObject(gone);
    expect(project.storage.requests - before).toBe(1);
  });

  describe.each(['busy', 'down', 'cut'] as const)('that is %s', (fault) => {
    test('for a moment costs nothing', async () => {
      const storage = supabase();
      const bytes = randomBytes(300_000);
      const path = await fileOf(bytes);
      const key = newKey();
      await storage.check();
      project.storage.fault(fault, 2);
      await storage.putFile(key, path);
      project.storage.fault(fault, 2);
      expect((await contentOf(storage, key, bytes.length)).equals(bytes)).toBe(true);
    });

    test('for long is UNAVAILABLE after three tries, and nothing is left half done', async () => {
      const storage = supabase();
      const kept = await put(storage, 'x'.repeat(100_000));
      const before = (await readdir(root)).filter(isIncomingDirectory);
      const objects = bucket()?.objects.size;
      project.storage.fault(fault);
      const requests = project.storage.requests;
      await expect(put(storage, 'y'.repeat(100_000))).rejects.toMatchObject(gone);
      expect(project.storage.requests - requests).toBe(3);
      const copy = storage.localCopy({ key: kept, sizeBytes: 100_000 });
      await expect(copy).rejects.toMatchObject(gone);
      expect(bucket()?.objects.size).toBe(objects);
      expect((await readdir(root)).filter(isIncomingDirectory)).toEqual(before);
    });
  });

  test('that says nothing is UNAVAILABLE after one try', async () => {
    const storage = supabaseStorage({ ...project, patience: impatient });
    const kept = await put(storage);
    project.storage.fault('silent');
    const requests = project.storage.requests;
    await expect(put(storage)).rejects.toMatchObject(gone);
    const copy = storage.localCopy({ key: kept, sizeBytes: 8 });
    await expect(copy).rejects.toMatchObject(gone);
    expect(project.storage.requests - requests).toBe(2);
  });

  test('that is slow is waited for as long as bytes come', async () => {
    const storage = supabaseStorage({ ...project, patience: impatient });
    const bytes = randomBytes(300_000);
    const key = newKey();
    await storage.check();
    project.storage.fault('slow');
    await storage.putFile(key, await fileOf(bytes));
    const started = performance.now();
    expect((await contentOf(storage, key, bytes.length)).equals(bytes)).toBe(true);
    expect(performance.now() - started).toBeGreaterThan(impatient.idleMs);
  });

  test.each(['silent', 'slow'] as const)(
    'that is %s is left when the caller leaves',
    async (fault) => {
      const storage = supabase();
      const path = await fileOf(randomBytes(5_000_000));
      const key = newKey();
      await storage.check();
      const leaving = new AbortController();
      project.storage.fault(fault);
      const upload = storage.putFile(key, path, leaving.signal);
      setTimeout(() => leaving.abort(new Error('left')), 100);
      await expect(upload).rejects.toThrow('left');
      expect(bucket()?.objects.has(key)).toBe(false);
    },
  );

  test('holds no whole file in memory, on the way in or out', async () => {
    const storage = supabase();
    const size = 60_000_000;
    const path = await fileOf(Buffer.alloc(size, 7));
    const key = newKey();
    const peak = await peakOf(async () => {
      await storage.putFile(key, path);
      await using copy = await storage.localCopy({ key, sizeBytes: size });
      expect((await stat(copy.path)).size).toBe(size);
    });
    // The stand-in, in this process, keeps what it is sent twice for a moment; nobody else may.
    expect(peak).toBeLessThan(2.5 * size);
  }, 60_000);
});

/** By how many bytes the memory outside of the heap grew at most. */
async function peakOf(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage().arrayBuffers;
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
  };
  const timer = setInterval(look, 5);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  look();
  return peak;
}

test('local files that cannot be written are UNAVAILABLE', async () => {
  const path = join(root, 'in-the-way');
  await writeFile(path, '');
  const storage = localStorage(path);
  await expect(storage.check()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect(put(storage)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('local files list what is stored, and nothing that is on its way in', async () => {
  const storage = localStorage(join(root, 'others'));
  const key = await put(storage);
  const path = join(root, 'others', key);
  await writeFile(`${path}.1.partial`, 'half');
  await writeFile(join(root, 'others', 'README'), 'not ours');
  const old = new Date('2026-01-01T00:00:00Z');
  await utimes(path, old, old);
  expect(await pagesOf(storage)).toEqual([[{ key, storedAt: old }]]);
});
