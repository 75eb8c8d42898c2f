import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Simulates in memory the part of Supabase Storage's REST API that supabase-js uses. */
export interface SupabaseStorageServer {
  readonly buckets: Map<string, StoredBucket>;
  /** Number of requests that the server has received so far. */
  readonly requestCount: number;
  /**
   * Injects a fault into the next `times` requests. Without `times`, injects it into all requests. Null removes the
   * fault.
   */
  injectFault(fault: StorageFault | null, times?: number): void;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/**
 * `busy`: the storage answers 503. `down`: the gateway answers 503. `silent`: there is no response. `cut`: the
 * connection breaks during an upload or a download. `slow`: data arrives in parts, 100 ms apart.
 */
export type StorageFault = 'busy' | 'down' | 'silent' | 'cut' | 'slow';

interface StoredBucket {
  readonly isPublic: boolean;
  readonly fileSizeLimit: number | null;
  readonly allowedMimeTypes: readonly string[] | null;
  readonly objects: Map<string, StoredObject>;
}

interface StoredObject {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** A test can set this time to the past to make an object old. */
  updatedAt: Date;
}

/**
 * Creates the server. `sizeLimit` is the upload limit of the project in bytes. The limit of a bucket cannot be higher.
 */
export function createSupabaseStorage({
  secretKey,
  sizeLimit = 200_000_000,
}: {
  readonly secretKey: string;
  readonly sizeLimit?: number;
}): SupabaseStorageServer {
  const buckets = new Map<string, StoredBucket>();
  let fault: StorageFault | null = null;
  let faultTimes = 0;
  let requests = 0;

  const takeFault = () => {
    if (faultTimes <= 0) return null;
    faultTimes -= 1;
    return fault;
  };
  const bucketNamed = (name: string) => {
    const bucket = buckets.get(name);
    if (bucket === undefined) throw refusal(404, 'NoSuchBucket', 'Bucket not found');
    return bucket;
  };

  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    current: StorageFault | null,
  ): Promise<unknown> => {
    const { apikey, authorization } = request.headers;
    if (apikey !== secretKey || authorization !== `Bearer ${secretKey}`) {
      throw refusal(403, 'AccessDenied', 'Invalid Compact JWS');
    }
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://storage').pathname);
    const [kind = '', name = '', ...rest] = path.replace('/storage/v1/', '').split('/');
    const key = rest.join('/');
    const route = `${request.method} ${kind}${kind === 'object' && key !== '' ? '/*' : ''}`;

    if (route === 'POST bucket') {
      const body = JSON.parse((await readBody(request)).toString());
      if (buckets.has(body.id)) {
        throw refusal(409, 'BucketAlreadyExists', 'The resource already exists');
      }
      if ((body.file_size_limit ?? 0) > sizeLimit) throw tooLarge();
      buckets.set(body.id, {
        isPublic: body.public ?? false,
        fileSizeLimit: body.file_size_limit ?? null,
        allowedMimeTypes: body.allowed_mime_types ?? null,
        objects: new Map(),
      });
      return { name: body.name };
    }
    const bucketName = ['list-v2'].includes(name) ? key : name;
    const bucket = bucketNamed(bucketName);
    if (route === 'GET bucket') {
      return { id: bucketName, name: bucketName, public: bucket.isPublic, owner: '' };
    }
    if (name === 'list-v2') return listObjects(bucket, JSON.parse(String(await readBody(request))));
    if (route === 'POST object/*') {
      const bytes = await readBody(request, current);
      const contentType = request.headers['content-type'] ?? 'application/octet-stream';
      if (bytes.length > Math.min(bucket.fileSizeLimit ?? sizeLimit, sizeLimit)) throw tooLarge();
      if (bucket.allowedMimeTypes?.includes(contentType) === false) {
        throw refusal(415, 'InvalidMimeType', `mime type ${contentType} is not supported`);
      }
      if (bucket.objects.has(key) && request.headers['x-upsert'] !== 'true') {
        throw refusal(409, 'KeyAlreadyExists', 'The resource already exists');
      }
      bucket.objects.set(key, { bytes, contentType, updatedAt: new Date() });
      return { Id: randomUUID(), Key: `${bucketName}/${key}` };
    }
    if (route === 'GET object/*') {
      const object = bucket.objects.get(key);
      if (object === undefined) throw refusal(404, 'NoSuchKey', 'Object not found');
      return sendObject(response, object, current);
    }
    if (route === 'DELETE object') {
      const { prefixes }: { prefixes: string[] } = JSON.parse(String(await readBody(request)));
      const removed = prefixes.filter((prefix) => bucket.objects.delete(prefix));
      return removed.map((prefix) => ({ name: prefix, bucket_id: bucketName }));
    }
    throw refusal(404, 'NotFound', `Route ${request.method}:${request.url} not found`);
  };

  return {
    buckets,
    get requestCount() {
      return requests;
    },
    injectFault(next, times = Number.POSITIVE_INFINITY) {
      fault = next;
      faultTimes = next === null ? 0 : times;
    },
    async handle(request, response) {
      requests += 1;
      const current = takeFault();
      try {
        if (current === 'silent') return void request.resume();
        if (current === 'down') {
          response.writeHead(503, { 'Content-Type': 'text/html' }).end('<h1>503</h1>');
          return;
        }
        if (current === 'busy') {
          throw refusal(503, 'DatabaseConnectionLimit', 'The database has too many connections');
        }
        const body = await answer(request, response, current);
        if (body !== sent) sendJson(response, 200, body);
      } catch (error) {
        if (!(error instanceof Refusal)) {
          response.destroy();
          return;
        }
        // For most errors, Supabase sends status 400, and the real status in the body.
        sendJson(response, error.body.statusCode === '500' ? 500 : 400, error.body);
        request.resume();
      }
    },
  };
}

/** Handlers return this value if they have already sent their response. */
const sent = Symbol('sent');

class Refusal extends Error {
  readonly body: { readonly statusCode: string };

  constructor(body: { readonly statusCode: string }) {
    super('refused');
    this.body = body;
  }
}

function refusal(status: number, code: string, message: string): Refusal {
  const body = { statusCode: String(status), code, error: code, message };
  return new Refusal(body);
}

function tooLarge(): Refusal {
  return refusal(413, 'EntityTooLarge', 'The object exceeded the maximum allowed size');
}

/** Reads the body. Rejects if the body is shorter than its `content-length`. */
async function readBody(
  request: IncomingMessage,
  fault: StorageFault | null = null,
): Promise<Buffer> {
  const half = Number(request.headers['content-length']) / 2;
  const parts: Buffer[] = [];
  let received = 0;
  for await (const part of request) {
    parts.push(part);
    received += part.length;
    if (fault === 'cut' && received >= half) throw new Error('cut off');
    if (fault === 'slow') await delay(100);
  }
  return Buffer.concat(parts);
}

async function sendObject(
  response: ServerResponse,
  { bytes, contentType }: StoredObject,
  fault: StorageFault | null,
): Promise<typeof sent> {
  response.writeHead(200, { 'Content-Type': contentType, 'Content-Length': bytes.length });
  if (fault === 'cut') {
    const half = bytes.subarray(0, Math.floor(bytes.length / 2));
    await new Promise((resolve) => response.write(half, resolve));
    throw new Error('cut off');
  }
  if (fault === 'slow') {
    const step = Math.max(Math.ceil(bytes.length / 20), 1);
    for (let from = 0; from < bytes.length; from += step) {
      response.write(bytes.subarray(from, from + step));
      await delay(100);
    }
    response.end();
    return sent;
  }
  response.end(bytes);
  return sent;
}

/** Returns one page of objects, sorted by name. The cursor is opaque. */
function listObjects(
  { objects }: StoredBucket,
  { limit = 1000, prefix = '', cursor }: { limit?: number; prefix?: string; cursor?: string },
) {
  const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64').toString();
  const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after);
  const page = names.sort().slice(0, limit);
  const hasNext = names.length > page.length;
  return {
    hasNext,
    ...(hasNext && { nextCursor: Buffer.from(page.at(-1) ?? '').toString('base64') }),
    folders: [],
    objects: page.map((name) => {
      const time = objects.get(name)?.updatedAt.toISOString();
      return { id: randomUUID(), name, updated_at: time, created_at: time, metadata: {} };
    }),
  };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}
