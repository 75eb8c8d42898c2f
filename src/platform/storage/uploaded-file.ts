import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An upload that was received completely and is stored in a temporary directory. */
export interface UploadedFile {
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
  /** SHA-256 of the content in hexadecimal. */
  readonly sha256: string;
  /** The first bytes, enough to detect the file type. */
  readonly head: Uint8Array;
}

const uploadedFiles = new WeakSet<object>();

/**
 * Registers a file that this process received. Only registered files count as uploads, so client input cannot imitate
 * one.
 */
export function markUploadedFile(file: UploadedFile): UploadedFile {
  uploadedFiles.add(file);
  return file;
}

/** Whether the value was registered by `markUploadedFile`. */
export function isUploadedFile(value: unknown): value is UploadedFile {
  return typeof value === 'object' && value !== null && uploadedFiles.has(value);
}

const directoryPrefix = 'grounded-chat-';

/** Creates a temporary directory for one file that is uploaded or downloaded. The caller must remove it. */
export function createUploadDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), directoryPrefix));
}

/** Calls `work` with the path of a file that contains `body`, and deletes the file afterwards. */
export async function withTemporaryFile<Result>(
  body: Buffer,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const directory = await createUploadDirectory();
  try {
    const path = join(directory, 'file');
    await writeFile(path, body);
    return await work(path);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Calls `work` with an uploaded file that contains `body`, and deletes the file afterwards. */
export function withUploadedFile<Result>(
  name: string,
  body: Buffer,
  work: (file: UploadedFile) => Promise<Result>,
): Promise<Result> {
  return withTemporaryFile(body, (path) => {
    const sha256 = createHash('sha256').update(body).digest('hex');
    return work({ name, path, sizeBytes: body.length, sha256, head: body });
  });
}

/**
 * Whether the name of a file in the system's temporary directory has the form that `createUploadDirectory` generates.
 */
export function isUploadDirectory(name: string): boolean {
  return name.startsWith(directoryPrefix) && /^\w{6}$/.test(name.slice(directoryPrefix.length));
}
