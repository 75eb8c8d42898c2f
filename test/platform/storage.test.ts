import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import {
  type DocumentStorage,
  maxPageSize,
  type StoredFile,
} from '../../src/platform/storage/document-storage.ts';
import { createLocalStorage } from '../../src/platform/storage/local-storage.ts';
import { bucketName, createSupabaseStorage } from '../../src/platform/storage/supabase-storage.ts';
import { isUploadDirectory } from '../../src/platform/storage/uploaded-file.ts';
import { captureLog } from '../support/captured-log.ts';
import {
  type SupabaseProjectServer,
  startSupabaseProject,
} from '../support/servers/supabase-project.ts';
import { waitUntil } from '../support/wait-until.ts';

let root: string;
let project: SupabaseProjectServer;
let originalTmpDir: string | undefined;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'storage-test-'));
  originalTmpDir = process.env.TMPDIR;
  process.env.TMPDIR = root;
  project = await startSupabaseProject();
});
afterAll(async () => {
  if (originalTmpDir === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = originalTmpDir;
  await project.close();
  await rm(root, { recursive: true });
});

const testRetryPolicy = { idleTimeoutMs: 15_000, attemptTimeoutMs: 60_000, initialBackoffMs: 10 };

const supabase = () => createSupabaseStorage({ ...project, retryPolicy: testRetryPolicy });
/** Retry policy for tests in which the storage does not respond or responds slowly. */
const shortIdleTimeoutPolicy = { ...testRetryPolicy, idleTimeoutMs: 1_000 };

const adapters: readonly [string, () => DocumentStorage][] = [
  ['local files', () => createLocalStorage(join(root, 'files'))],
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
  await using copy = await storage.getLocalCopy({ key, sizeBytes });
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

  test.each([0, 1, 3_000_000])('stores %i bytes unchanged', async (size) => {
    const bytes = randomBytes(size);
    const key = newKey();
    await storage.putFile(key, await fileOf(bytes));
    expect((await contentOf(storage, key, size)).equals(bytes)).toBe(true);
  });

  test.each([0, 3_000_000])('stores %i bytes from memory unchanged', async (size) => {
    const bytes = randomBytes(size);
    const key = newKey();
    await storage.putFile(key, bytes);
    expect((await contentOf(storage, key, size)).equals(bytes)).toBe(true);
  });

  test('replaces the content of an existing key', async () => {
    const key = await put(storage, 'first');
    await storage.putFile(key, await fileOf(Buffer.from('second')));
    expect(String(await contentOf(storage, key, 6))).toBe('second');
  });

  test('returns nothing for unknown and deleted keys', async () => {
    const missing = { code: 'NOT_FOUND' };
    await expect(storage.getLocalCopy({ key: newKey(), sizeBytes: 1 })).rejects.toMatchObject(
      missing,
    );
    const key = await put(storage);
    await storage.remove([key, newKey()]);
    await storage.remove([key]);
    await storage.remove([]);
    await expect(storage.getLocalCopy({ key, sizeBytes: 8 })).rejects.toMatchObject(missing);
  });

  test.each(['short', 'longer than it was'])(
    'returns no copy of a file that is %s',
    async (content) => {
      const key = await put(storage, content);
      await expect(storage.getLocalCopy({ key, sizeBytes: 8 })).rejects.toThrow('unexpected size');
    },
  );

  test('lists all files in pages, with their timestamps', async () => {
    const projectId = newId();
    const count = maxPageSize + 3;
    const path = await fileOf(Buffer.from('x'));
    const keys = Array.from({ length: count }, () => `${projectId}/${newId()}`);
    for (let from = 0; from < count; from += 50) {
      await Promise.all(keys.slice(from, from + 50).map((key) => storage.putFile(key, path)));
    }
    const pages = await pagesOf(storage);
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(maxPageSize);
    const listed = pages.flat().filter(({ key }) => keys.includes(key));
    expect(listed.map(({ key }) => key).sort()).toEqual(keys.sort());
    for (const { storedAt } of listed) {
      expect(Math.abs(storedAt.getTime() - Date.now())).toBeLessThan(60_000);
    }
    await storage.remove(keys.slice(0, maxPageSize));
    await storage.remove(keys.slice(maxPageSize));
    const left = await keysOf(storage);
    expect(left.filter((key) => key.startsWith(projectId))).toEqual([]);
  }, 60_000);

  test('reports that it is healthy', async () => {
    expect(await storage.check()).toBeUndefined();
  });

  test('deletes a temporary copy after its disposal', async () => {
    const before = (await readdir(root)).filter(isUploadDirectory);
    await contentOf(storage, await put(storage), 8);
    expect((await readdir(root)).filter(isUploadDirectory)).toEqual(before);
  });
});

describe('Supabase Storage', () => {
  const gone = { code: 'UNAVAILABLE', retryable: true };

  beforeEach(() => project.storage.injectFault(null));

  const bucket = () => project.storage.buckets.get(bucketName);

  test('creates its bucket if it is missing: private, for octet streams only, with a size limit', async () => {
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

  test('recreates its bucket after someone deleted it', async () => {
    const storage = supabase();
    await put(storage);
    project.storage.buckets.clear();
    expect(await keysOf(storage)).toEqual([]);
    await storage.remove([newKey()]);
    const key = await put(storage).catch(() => put(storage));
    expect(await keysOf(storage)).toEqual([key]);
  });

  test('does not use a public bucket', async () => {
    const limits = { fileSizeLimit: null, allowedMimeTypes: null };
    project.storage.buckets.set(bucketName, { ...limits, isPublic: true, objects: new Map() });
    const storage = supabase();
    await expect(put(storage)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(storage.check()).rejects.toThrow('public');
    expect(bucket()?.objects.size).toBe(0);
    project.storage.buckets.clear();
  });

  test('writes nothing to a bucket that turned public, from the failed check on', async () => {
    const storage = supabase();
    await put(storage);
    const known = bucket();
    if (known === undefined) throw new Error('no bucket');
    project.storage.buckets.set(bucketName, { ...known, isPublic: true });
    await expect(storage.check()).rejects.toThrow('public');
    const before = known.objects.size;
    await expect(put(storage)).rejects.toThrow('public');
    expect(known.objects.size).toBe(before);
    project.storage.buckets.set(bucketName, known);
    await put(storage);
    expect(known.objects.size).toBe(before + 1);
  });

  test('notices within half a minute, without a check, that its bucket turned public', async () => {
    const storage = supabase();
    await put(storage);
    const known = bucket();
    if (known === undefined) throw new Error('no bucket');
    project.storage.buckets.set(bucketName, { ...known, isPublic: true });
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 31_000);
    await expect(put(storage)).rejects.toThrow('public');
    clock.mockRestore();
    project.storage.buckets.set(bucketName, known);
  });

  test.each<[string, { url?: string; secretKey?: string }, RegExp]>([
    [
      'a wrong key',
      { secretKey: 'sb_secret_wrong' },
      /answered 403 AccessDenied: check that SUPABASE_SECRET_KEY/,
    ],
    [
      'an unreachable project',
      { url: 'http://127.0.0.1:49151' },
      /cannot be reached \(ECONNREFUSED\): check SUPABASE_URL/,
    ],
  ])('logs status and code of %s', async (_cause, settings, expected) => {
    const { log, lines } = captureLog();
    const storage = createSupabaseStorage({
      ...project,
      ...settings,
      retryPolicy: testRetryPolicy,
    });
    await storage.check().catch((err) => log.warn({ err }, 'unavailable'));
    expect(lines()).toMatchObject([
      { err: { code: 'UNAVAILABLE', cause: expect.stringMatching(expected) } },
    ]);
  });

  test('uses the lower limit of its project, and reports files above it', async () => {
    const small = await startSupabaseProject({ sizeLimit: 1_000 });
    try {
      const storage = createSupabaseStorage({ ...small, retryPolicy: testRetryPolicy });
      await storage.check();
      expect(small.storage.buckets.get(bucketName)).toMatchObject({ fileSizeLimit: null });
      const large = storage.putFile(newKey(), await fileOf(randomBytes(1_001)));
      await expect(large).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
      expect(await keysOf(storage)).toEqual([]);
    } finally {
      await small.close();
    }
  });

  test('is unavailable with a wrong key, and asks once', async () => {
    const storage = createSupabaseStorage({
      ...project,
      secretKey: 'sb_secret_wrong',
      retryPolicy: testRetryPolicy,
    });
    const before = project.storage.requestCount;
    await expect(storage.check()).rejects.toMatchObject(gone);
    expect(project.storage.requestCount - before).toBe(1);
  });

  describe.each(['busy', 'down', 'cut'] as const)('that is %s', (fault) => {
    test('briefly causes no error', async () => {
      const storage = supabase();
      const bytes = randomBytes(300_000);
      const path = await fileOf(bytes);
      const key = newKey();
      await storage.check();
      project.storage.injectFault(fault, 2);
      await storage.putFile(key, path);
      project.storage.injectFault(fault, 2);
      expect((await contentOf(storage, key, bytes.length)).equals(bytes)).toBe(true);
    });

    test('for long is UNAVAILABLE after three attempts, and nothing is left half done', async () => {
      const storage = supabase();
      const kept = await put(storage, 'x'.repeat(100_000));
      const before = (await readdir(root)).filter(isUploadDirectory);
      const objects = bucket()?.objects.size;
      project.storage.injectFault(fault);
      const requests = project.storage.requestCount;
      await expect(put(storage, 'y'.repeat(100_000))).rejects.toMatchObject(gone);
      expect(project.storage.requestCount - requests).toBe(3);
      const copy = storage.getLocalCopy({ key: kept, sizeBytes: 100_000 });
      await expect(copy).rejects.toMatchObject(gone);
      expect(bucket()?.objects.size).toBe(objects);
      expect((await readdir(root)).filter(isUploadDirectory)).toEqual(before);
    });
  });

  test('that does not respond is UNAVAILABLE after one attempt', async () => {
    const retryPolicy = { ...testRetryPolicy, idleTimeoutMs: 300 };
    const storage = createSupabaseStorage({ ...project, retryPolicy });
    const kept = await put(storage);
    project.storage.injectFault('silent');
    const requests = project.storage.requestCount;
    await expect(put(storage)).rejects.toMatchObject(gone);
    const copy = storage.getLocalCopy({ key: kept, sizeBytes: 8 });
    await expect(copy).rejects.toMatchObject(gone);
    expect(project.storage.requestCount - requests).toBe(2);
  });

  test('that is slow is read as long as bytes arrive', async () => {
    const storage = createSupabaseStorage({ ...project, retryPolicy: shortIdleTimeoutPolicy });
    const bytes = randomBytes(300_000);
    const key = newKey();
    await storage.check();
    project.storage.injectFault('slow');
    await storage.putFile(key, await fileOf(bytes));
    const started = performance.now();
    expect((await contentOf(storage, key, bytes.length)).equals(bytes)).toBe(true);
    expect(performance.now() - started).toBeGreaterThan(shortIdleTimeoutPolicy.idleTimeoutMs);
  });

  test.each(['silent', 'slow'] as const)(
    'that is %s is cancelled when the caller disconnects',
    async (fault) => {
      const storage = supabase();
      const path = await fileOf(randomBytes(5_000_000));
      const key = newKey();
      await storage.check();
      const leaving = new AbortController();
      project.storage.injectFault(fault);
      const requests = project.storage.requestCount;
      const upload = expect(storage.putFile(key, path, leaving.signal)).rejects.toThrow('left');
      await waitUntil(() => project.storage.requestCount > requests);
      leaving.abort(new Error('left'));
      await upload;
      expect(bucket()?.objects.has(key)).toBe(false);
    },
  );

  test('never buffers a whole file in memory, in either direction', async () => {
    const storage = supabase();
    const size = 60_000_000;
    const path = await fileOf(Buffer.alloc(size, 7));
    const key = newKey();
    const peak = await peakOf(async () => {
      await storage.putFile(key, path);
      await using copy = await storage.getLocalCopy({ key, sizeBytes: size });
      expect((await stat(copy.path)).size).toBe(size);
    });
    // The simulated storage runs in this process, and for a short time keeps two copies of the upload.
    expect(peak).toBeLessThan(2.5 * size);
  }, 60_000);
});

/** Returns by how much the memory outside the heap grew at most, in bytes. */
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
  const storage = createLocalStorage(path);
  await expect(storage.check()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect(put(storage)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('local storage lists stored files, and no unfinished ones', async () => {
  const storage = createLocalStorage(join(root, 'others'));
  const key = await put(storage);
  const path = join(root, 'others', key);
  await writeFile(`${path}.1.partial`, 'half');
  await writeFile(join(root, 'others', 'README'), 'not ours');
  const old = new Date('2026-01-01T00:00:00Z');
  await utimes(path, old, old);
  expect(await pagesOf(storage)).toEqual([[{ key, storedAt: old }]]);
});
