import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import type { SupabaseClient } from '@supabase/supabase-js';
import { DomainError, notFound } from '../errors.ts';
import { makeIncomingDirectory } from '../knowledge/uploaded-file.ts';
import { type SupabaseProject, supabaseClient } from '../supabase-client.ts';
import { type Attempt, attempt, type Patience } from './attempts.ts';
import { type DocumentStorage, type KeptFile, maxPage } from './storage.ts';
import {
  asCondition,
  isBucketMissing,
  isObjectMissing,
  passes,
  statusOf,
} from './supabase-errors.ts';

export interface SupabaseStorageSettings extends SupabaseProject {
  readonly patience?: Patience;
}

/** Private, and of this service alone. */
export const bucketName = 'grounded-documents';
/** The largest upload that any plan allows; an operator may raise the bucket's limit. */
const bucketLimitBytes = 100_000_000;
/** The only type there is: a name, or a type that a caller chose, is never told to the storage. */
const contentType = 'application/octet-stream';

/** A large file may take long, as long as it moves; some megabytes may still be on their way when all is sent. */
const usualPatience: Patience = { idleMs: 30_000, limitMs: 600_000, pauseMs: 300 };

/**
 * Keeps originals in a private bucket of Supabase Storage, which is made when it is missing. Files stream both ways.
 * Trouble that passes is tried again, and then told as `UNAVAILABLE`. A bucket that is public is not used.
 */
export function supabaseStorage({
  patience = usualPatience,
  ...project
}: SupabaseStorageSettings): DocumentStorage {
  let hasBucket = false;

  const ask = async <T>(
    signal: AbortSignal | undefined,
    work: (client: SupabaseClient, attempt: Attempt) => Promise<T>,
  ): Promise<T> => {
    try {
      return await attempt((attempt) => work(connect(project, attempt), attempt), {
        ...patience,
        signal,
        passes: (error) => !(error instanceof WrongFile) && passes(error),
      });
    } catch (error) {
      if (isBucketMissing(error)) hasBucket = false;
      if (signal?.aborted || error instanceof WrongFile) throw error;
      throw asCondition(error);
    }
  };
  const requireBucket = async (signal?: AbortSignal) => {
    await ask(signal, (client) => makeBucketPrivate(client));
    hasBucket = true;
  };

  return {
    async putFile(key, path, signal) {
      if (!hasBucket) await requireBucket(signal);
      await ask(signal, (client, attempt) => upload(client, key, path, attempt));
    },

    async localCopy(file, signal) {
      const directory = await makeIncomingDirectory();
      const dispose = () => rm(directory, { recursive: true, force: true });
      const path = join(directory, 'content');
      try {
        await ask(signal, (client, attempt) => download(client, file, path, attempt));
        return { path, [Symbol.asyncDispose]: dispose };
      } catch (error) {
        await dispose();
        throw error;
      }
    },

    async remove(keys, signal) {
      if (keys.length === 0) return;
      await ask(signal, async (client) => {
        const { error } = await client.storage.from(bucketName).remove([...keys]);
        if (error !== null && !isBucketMissing(error)) throw error;
      });
    },

    async *list(signal) {
      let cursor: string | undefined;
      do {
        const from = cursor;
        const page = await ask(signal, (client) => readPage(client, from));
        yield page.files;
        cursor = page.next;
      } while (cursor !== undefined);
    },

    check: () => requireBucket(),
  };
}

/** One client for each try: uploads take no signal of their own. */
function connect(project: SupabaseProject, { signal }: Attempt): SupabaseClient {
  // A redirect could carry the key elsewhere.
  const bounded: typeof fetch = (input, init) =>
    fetch(input, { ...init, signal, redirect: 'error' });
  return supabaseClient(project, { global: { fetch: bounded } });
}

async function makeBucketPrivate({ storage }: SupabaseClient): Promise<void> {
  const { data: bucket, error } = await storage.getBucket(bucketName);
  if (bucket !== null) {
    if (bucket.public) throw new DomainError('UNAVAILABLE', `The bucket ${bucketName} is public`);
    return;
  }
  if (!isBucketMissing(error)) throw error;
  const limits = { fileSizeLimit: bucketLimitBytes, allowedMimeTypes: [contentType] };
  const made = await storage.createBucket(bucketName, { public: false, ...limits });
  // The project's own limit, which is lower, holds for the bucket then.
  const isLimitRefused = statusOf(made.error) === 413;
  const { error: refused } = isLimitRefused
    ? await storage.createBucket(bucketName, { public: false, allowedMimeTypes: [contentType] })
    : made;
  // Another process may have been faster.
  if (refused !== null && statusOf(refused) !== 409) throw refused;
}

async function upload(
  { storage }: SupabaseClient,
  key: string,
  path: string,
  { progress }: Attempt,
): Promise<void> {
  const { size } = await stat(path);
  async function* content() {
    for await (const bytes of createReadStream(path)) {
      progress();
      yield bytes;
    }
  }
  // With the length of the whole, the server can tell a body that was cut off from a complete one.
  const { error } = await storage.from(bucketName).upload(key, Readable.from(content()), {
    upsert: true,
    contentType,
    cacheControl: '0',
    headers: { 'content-length': String(size) },
  });
  if (error !== null) throw error;
}

/** What is kept is not what was stored: somebody else has been at it. */
class WrongFile extends Error {}

async function download(
  { storage }: SupabaseClient,
  { key, sizeBytes }: KeptFile,
  path: string,
  { signal, progress }: Attempt,
): Promise<void> {
  const { data, error } = await storage.from(bucketName).download(key).asStream();
  if (error !== null) throw isObjectMissing(error) ? notFound('File') : error;
  let received = 0;
  async function* bounded(stream: AsyncIterable<Uint8Array>) {
    for await (const bytes of stream) {
      progress();
      received += bytes.length;
      if (received > sizeBytes) throw wrongFile();
      yield bytes;
    }
  }
  const target = createWriteStream(path, { mode: 0o600 });
  await pipeline(nodeStream(data), bounded, target, { signal });
  if (received !== sizeBytes) throw wrongFile();
}

/** Node's own `fetch` made it, so it is Node's stream, whatever the types of the browser's say. */
function nodeStream(stream: ReadableStream): Readable {
  return Readable.fromWeb(stream as NodeStream);
}

function wrongFile(): WrongFile {
  return new WrongFile('A stored original has another size than it had');
}

async function readPage({ storage }: SupabaseClient, cursor: string | undefined) {
  const { data, error } = await storage.from(bucketName).listV2({
    limit: maxPage,
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
