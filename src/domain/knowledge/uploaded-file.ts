import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file that has arrived completely and lies in a temporary place of the receiver's. */
export interface UploadedFile {
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** The first bytes, enough to tell the type. */
  readonly head: Uint8Array;
}

const received = new WeakSet<object>();

/** Declares a file as received by this process. Nothing a client writes can pass for one. */
export function uploadedFile(file: UploadedFile): UploadedFile {
  received.add(file);
  return file;
}

/** Whether a value was made by `uploadedFile`. */
export function isUploadedFile(value: unknown): value is UploadedFile {
  return typeof value === 'object' && value !== null && received.has(value);
}

const directoryPrefix = 'grounded-chat-';

/** Makes a temporary directory for one file on its way in; whoever asks for it removes it. */
export function makeIncomingDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), directoryPrefix));
}

/** Whether a name in the system's temporary directory is one of `makeIncomingDirectory`. */
export function isIncomingDirectory(name: string): boolean {
  return name.startsWith(directoryPrefix) && /^\w{6}$/.test(name.slice(directoryPrefix.length));
}
