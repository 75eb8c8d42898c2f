import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** A file in memory that is sent compressed. */
export interface EncodedFile {
  readonly bytes: Buffer;
  readonly digest: string;
  readonly encodings: Readonly<Record<Encoding, () => Promise<Buffer>>>;
}

/** Prepares a file. It is compressed when an encoding is requested for the first time. */
export function encodeFile(bytes: Buffer): EncodedFile {
  return {
    bytes,
    digest: createHash('sha256').update(bytes).digest('base64url').slice(0, 27),
    encodings: {
      br: once(() => promisify(brotliCompress)(bytes)),
      gzip: once(() => promisify(gzip)(bytes, { level: 9 })),
    },
  };
}

export type Encoding = 'br' | 'gzip';

/**
 * Returns the encoding with the smallest result that the client accepts, or null. Given both at once, Express would
 * choose the first that the client names, which is gzip for browsers.
 */
export function chooseEncoding(request: Request): Encoding | null {
  return encodings.find((name) => request.acceptsEncodings(name)) ?? null;
}

const encodings: readonly Encoding[] = ['br', 'gzip'];

/** Returns a function that calls `create` once and then returns the same value. */
export function once<Value>(create: () => Value): () => Value {
  let created: { readonly value: Value } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}

/** Sends the file in the best encoding that the client accepts, or 304 if the client has it. Set its type before. */
export async function sendEncoded(
  request: Request,
  response: Response,
  { bytes, digest, encodings }: EncodedFile,
): Promise<void> {
  const encoding = chooseEncoding(request);
  const etag = `"${digest}${encoding === null ? '' : `-${encoding}`}"`;
  response.set({ ETag: etag, Vary: 'Accept-Encoding' });
  if (matchesEtag(request, etag)) {
    response.status(304).end();
    return;
  }
  if (encoding !== null) response.set('Content-Encoding', encoding);
  const body = encoding === null ? bytes : await encodings[encoding]();
  response.set('Content-Length', String(body.byteLength)).end(body);
}

function matchesEtag(request: Request, etag: string): boolean {
  const known = request.get('If-None-Match') ?? '';
  return known === '*' || known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
