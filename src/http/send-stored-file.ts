import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { LocalCopy } from '../platform/storage/document-storage.ts';
import { attachmentHeader } from './attachment-header.ts';

/** A stored file that is read only when needed. */
export interface StoredFile {
  readonly name: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly file: { open(): Promise<LocalCopy> };
}

/** Sends the file as a download. In response to HEAD, sends only the headers. */
export async function sendStoredFile(
  response: Response,
  { name, mimeType, sizeBytes, file }: StoredFile,
  signal: AbortSignal,
): Promise<void> {
  await using copy = await file.open();
  response.writeHead(200, {
    'Content-Type': mimeType.startsWith('text/') ? `${mimeType}; charset=utf-8` : mimeType,
    'Content-Length': sizeBytes,
    'Content-Disposition': attachmentHeader(name),
  });
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  await pipeline(createReadStream(copy.path), response, { signal });
}
