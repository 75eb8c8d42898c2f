import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import type { SupabaseClient } from '@supabase/supabase-js';
import { DomainError, notFound } from '../errors.ts';
import { createSupabaseClient, type SupabaseProject } from '../supabase-client.ts';
import {
  type DocumentStorage,
  type FileContent,
  maxPageSize,
  type StoredFileRef,
} from './document-storage.ts';
import { type RetryAttempt, type RetryPolicy, retry } from './retry.ts';
import {
  findHttpStatus,
  isBucketMissing,
  isObjectMissing,
  isTransient,
  toDomainError,
} from './supabase-storage-errors.ts';
import { createUploadDirectory } from './uploaded-file.ts';

export interface SupabaseStorageSettings extends SupabaseProject {
  readonly retryPolicy?: RetryPolicy;
}

/** A private bucket. Only this service uses it. */
export const bucketName = 'grounded-documents';
/**
 * Size limit of the bucket. It equals the largest upload that any plan of this service allows. Operators can increase
 * it in Supabase.
 */
const bucketLimitBytes = 100_000_000;
/** An older check is repeated before an upload, because an operator may make the bucket public at any time. */
const maxBucketCheckAgeMs = 30_000;
/** Content type of all stored objects. File names and content types of callers are not sent to Supabase. */
const contentType = 'application/octet-stream';

/**
 * Timeouts and delay of each operation. Large files may take minutes as long as bytes are transferred. The idle timeout
 * is long enough for the megabytes that are still being sent after the last write.
 */
const defaultRetryPolicy: RetryPolicy = {
  idleTimeoutMs: 30_000,
  attemptTimeoutMs: 600_000,
  initialBackoffMs: 300,
};

/**
 * Creates a storage that uses a private bucket of Supabase Storage. Creates the bucket if it is missing. Streams files
 * when it stores and reads them. Retries transient errors.
 * @throws DomainError UNAVAILABLE when all retries fail or the bucket is public.
 */
export function createSupabaseStorage({
  retryPolicy = defaultRetryPolicy,
  ...project
}: SupabaseStorageSettings): DocumentStorage {
  /** Time of the last check that found the bucket private. Null: there was no check yet, or the last check failed. */
  let checkedAt: number | null = null;

  const request = async <T>(
    signal: AbortSignal | undefined,
    work: (client: SupabaseClient, attempt: RetryAttempt) => Promise<T>,
  ): Promise<T> => {
    try {
      return await retry((attempt) => work(createAttemptClient(project, attempt), attempt), {
        ...retryPolicy,
        signal,
        isTransient: (error) => !(error instanceof SizeMismatchError) && isTransient(error),
      });
    } catch (error) {
      if (isBucketMissing(error)) checkedAt = null;
      if (signal?.aborted || error instanceof SizeMismatchError) throw error;
      throw toDomainError(error);
    }
  };
  const ensureBucket = async (signal?: AbortSignal) => {
    checkedAt = null;
    await request(signal, (client) => ensurePrivateBucket(client));
    checkedAt = performance.now();
  };
  const isBucketKnown = () =>
    checkedAt !== null && performance.now() - checkedAt < maxBucketCheckAgeMs;

  return {
    async putFile(key, content, signal) {
      if (!isBucketKnown()) await ensureBucket(signal);
      await request(signal, (client, attempt) => upload(client, key, content, attempt));
    },

    async getLocalCopy(file, signal) {
      const directory = await createUploadDirectory();
      const dispose = () => rm(directory, { recursive: true, force: true });
      const path = join(directory, 'content');
      try {
        await request(signal, (client, attempt) => download(client, file, path, attempt));
        return { path, [Symbol.asyncDispose]: dispose };
      } catch (error) {
        await dispose();
        throw error;
      }
    },

    async remove(keys, signal) {
      if (keys.length === 0) return;
      await request(signal, async (client) => {
        const { error } = await client.storage.from(bucketName).remove([...keys]);
        if (error !== null && !isBucketMissing(error)) throw error;
      });
    },

    async *list(signal) {
      let cursor: string | undefined;
      do {
        const from = cursor;
        const page = await request(signal, (client) => listPage(client, from));
        yield page.files;
        cursor = page.next;
      } while (cursor !== undefined);
    },

    check: () => ensureBucket(),
  };
}

/**
 * Creates a client for one attempt. The client's `fetch` uses the signal of the attempt, because `upload` accepts no
 * signal.
 */
function createAttemptClient(project: SupabaseProject, { signal }: RetryAttempt): SupabaseClient {
  // Refuses redirects, because a redirect could send the secret key to another host.
  const bounded: typeof fetch = (input, init) =>
    fetch(input, { ...init, signal, redirect: 'error' });
  return createSupabaseClient(project, { global: { fetch: bounded } });
}

async function ensurePrivateBucket({ storage }: SupabaseClient): Promise<void> {
  const { data: bucket, error } = await storage.getBucket(bucketName);
  if (bucket !== null) {
    if (!bucket.public) return;
    throw new DomainError(
      'UNAVAILABLE',
      `The bucket ${bucketName} is public. Make it private in Supabase Storage`,
    );
  }
  if (!isBucketMissing(error)) throw error;
  const limits = { fileSizeLimit: bucketLimitBytes, allowedMimeTypes: [contentType] };
  const created = await storage.createBucket(bucketName, { public: false, ...limits });
  // Status 413 means that the limit of the Supabase project is lower than this limit. The bucket is then created
  // without its own limit, so the limit of the project applies.
  const isLimitRefused = findHttpStatus(created.error) === 413;
  const { error: createError } = isLimitRefused
    ? await storage.createBucket(bucketName, { public: false, allowedMimeTypes: [contentType] })
    : created;
  // Status 409 means that another process created the bucket at the same time.
  if (createError !== null && findHttpStatus(createError) !== 409) throw createError;
}

async function upload(
  { storage }: SupabaseClient,
  key: string,
  content: FileContent,
  { reportProgress }: RetryAttempt,
): Promise<void> {
  const size = typeof content === 'string' ? (await stat(content)).size : content.length;
  async function* parts() {
    const source =
      typeof content === 'string' ? createReadStream(content) : content.length > 0 ? [content] : [];
    for await (const bytes of source) {
      reportProgress();
      yield bytes;
    }
  }
  // With the content-length header, the server can detect a truncated body.
  const { error } = await storage.from(bucketName).upload(key, Readable.from(parts()), {
    upsert: true,
    contentType,
    cacheControl: '0',
    headers: { 'content-length': String(size) },
  });
  if (error !== null) throw error;
}

/**
 * Thrown if the size of a stored object differs from its size at upload, because another client replaced the object.
 */
class SizeMismatchError extends Error {}

async function download(
  { storage }: SupabaseClient,
  { key, sizeBytes }: StoredFileRef,
  path: string,
  { signal, reportProgress }: RetryAttempt,
): Promise<void> {
  const { data, error } = await storage.from(bucketName).download(key).asStream();
  if (error !== null) throw isObjectMissing(error) ? notFound('File') : error;
  let received = 0;
  async function* bounded(stream: AsyncIterable<Uint8Array>) {
    for await (const bytes of stream) {
      reportProgress();
      received += bytes.length;
      if (received > sizeBytes) throw sizeMismatch();
      yield bytes;
    }
  }
  const target = createWriteStream(path, { mode: 0o600 });
  await pipeline(nodeStream(data), bounded, target, { signal });
  if (received !== sizeBytes) throw sizeMismatch();
}

/**
 * Converts the body of a `fetch` response to a Node stream. The body has the browser's type, but it is an instance of
 * Node's own ReadableStream.
 */
function nodeStream(stream: ReadableStream): Readable {
  return Readable.fromWeb(stream as NodeStream);
}

function sizeMismatch(): SizeMismatchError {
  return new SizeMismatchError('The stored file has an unexpected size');
}

async function listPage({ storage }: SupabaseClient, cursor: string | undefined) {
  const { data, error } = await storage.from(bucketName).listV2({
    limit: maxPageSize,
    with_delimiter: false,
    ...(cursor !== undefined && { cursor }),
  });
  if (isBucketMissing(error)) return { files: [], next: undefined };
  if (error !== null) throw error;
  const files = data.objects.map(({ name, updated_at }) => ({
    key: name,
    storedAt: new Date(updated_at),
  }));
  return { files, next: data.hasNext ? data.nextCursor : undefined };
}
