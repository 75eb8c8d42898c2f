import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { detectFileType } from '../../extract/detect/detect-file-type.ts';
import { isDocumentName, isImageType } from '../../extract/file-formats.ts';
import { UsageError } from '../command.ts';
import {
  createIncludeFilter,
  type IgnoreRules,
  isIgnored,
  rootRules,
  withFolderRules,
} from './ignore-rules.ts';

export interface FolderOptions {
  readonly root: string;
  /** Patterns as in `.gitignore`. Empty: all files of a known format. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly maxBytes: number;
}

export interface FolderFile {
  /** Path below the root, with `/` between its parts. */
  readonly path: string;
  readonly sha256: string;
}

export interface FolderFiles {
  readonly files: FolderFile[];
  /** Files and folders that cannot be read. The sync does not delete documents at or below these paths. */
  readonly refused: { readonly path: string; readonly reason: string }[];
}

/** File hashes of an earlier sync, by path, so that unchanged files are not read again. */
export type HashCache = Map<string, { readonly stamp: string; readonly sha256: string | null }>;

const maxFiles = 20_000;
/** A file that changed within this time may change again without a new time stamp. So its hash is not cached. */
const settledMs = 2_000;

/**
 * Returns the files of a folder that can become documents, in the order of their paths.
 * @throws UsageError when the folder does not exist, or has too many files.
 */
export async function readFolder(options: FolderOptions, cache: HashCache): Promise<FolderFiles> {
  const root = await realRootOf(options.root);
  const found: FolderFiles = { files: [], refused: [] };
  const isIncluded = createIncludeFilter(options.include);

  const readDirectory = async (base: string, outer: IgnoreRules): Promise<void> => {
    const directory = join(root, base);
    let entries: Dirent[];
    let rules: IgnoreRules;
    try {
      entries = await readdir(directory, { withFileTypes: true });
      rules = await withFolderRules(outer, directory, base);
    } catch (error) {
      if (base === '') throw new UsageError(`The folder cannot be read: ${messageOf(error)}`);
      found.refused.push({ path: base, reason: messageOf(error) });
      return;
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = `${base}${entry.name}`;
      if (entry.isDirectory()) {
        if (!isIgnored(`${path}/`, rules)) await readDirectory(`${path}/`, rules);
      } else if (isDocumentName(entry.name) && isIncluded(path)) {
        if (!isIgnored(path, rules)) await readEntry(entry, path);
      }
    }
  };

  const readEntry = async (entry: Dirent, path: string): Promise<void> => {
    try {
      if (entry.isSymbolicLink()) await requireInside(root, path);
      const { size, ino, ctimeMs, isFile } = await statOf(join(root, path));
      if (!isFile) return;
      const isSettled = Date.now() - ctimeMs > settledMs;
      const stamp = isSettled ? `${size}:${ino}:${ctimeMs}` : null;
      const sha256 = await hashOf({ root, path, stamp, maxBytes: options.maxBytes }, cache);
      if (sha256 === null) return;
      if (found.files.length >= maxFiles) {
        throw new UsageError(
          `The folder has more than ${maxFiles} files. Narrow it with --include and --exclude`,
        );
      }
      found.files.push({ path, sha256 });
    } catch (error) {
      if (error instanceof UsageError) throw error;
      const isDeleted = isMissing(error) && entry.isFile() && !path.includes('\ufffd');
      if (!isDeleted) found.refused.push({ path, reason: messageOf(error) });
    }
  };

  await readDirectory('', rootRules(options.exclude));
  return found;
}

/**
 * Reads a file that `readFolder` has found.
 * @throws UsageError when the folder no longer exists
 * @throws FileUnreadable when the file was deleted or has grown since `readFolder` found it
 */
export async function readFolderFile(
  { root, maxBytes }: FolderOptions,
  path: string,
): Promise<Buffer> {
  const realRoot = await realRootOf(root);
  try {
    await requireInside(realRoot, path);
    return await readBounded(join(realRoot, path), maxBytes);
  } catch (error) {
    if (hasCode(error, 'EMFILE', 'ENFILE', 'ENOMEM')) throw error;
    throw new FileUnreadable(messageOf(error));
  }
}

/** A single file cannot be read. The message says why. */
export class FileUnreadable extends Error {}

function realRootOf(root: string): Promise<string> {
  return realpath(root).catch(() => {
    throw new UsageError(`The folder ${root} does not exist`);
  });
}

/** @throws Error when the path is a link to a place outside the root. */
async function requireInside(root: string, path: string): Promise<void> {
  const target = relative(root, await realpath(join(root, path)));
  const isOutside = target === '..' || target.startsWith(`..${sep}`);
  if (isOutside) throw new Error('It is a symbolic link to a place outside the folder');
}

async function statOf(file: string) {
  const stats = await stat(file);
  return { size: stats.size, ino: stats.ino, ctimeMs: stats.ctimeMs, isFile: stats.isFile() };
}

/** Returns the hash of a file. Returns null if the file is empty, or is a binary file without an extension. */
async function hashOf(
  file: {
    readonly root: string;
    readonly path: string;
    readonly stamp: string | null;
    readonly maxBytes: number;
  },
  cache: HashCache,
): Promise<string | null> {
  const { root, path, stamp, maxBytes } = file;
  const known = cache.get(path);
  if (known !== undefined && known.stamp === stamp) return known.sha256;
  const body = await readBounded(join(root, path), maxBytes);
  const sha256 = isDocument(path, body) ? createHash('sha256').update(body).digest('hex') : null;
  if (stamp === null) cache.delete(path);
  else cache.set(path, { stamp, sha256 });
  return sha256;
}

function isDocument(path: string, body: Buffer): boolean {
  if (body.length === 0) return false;
  const type = detectFileType(body, path);
  if (type !== null && !isImageType(type)) return true;
  if (/\.[^./]+$/.test(path)) throw new Error('Its content is not that of its extension');
  return false;
}

/** Reads at most `maxBytes`, even if the file grows during the read. */
async function readBounded(file: string, maxBytes: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) throw new Error(`It is larger than ${maxBytes} bytes`);
    const buffer = Buffer.alloc(size);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  } finally {
    await handle.close();
  }
}

function messageOf(error: unknown): string {
  if (hasCode(error, 'EACCES', 'EPERM')) return 'It cannot be read: permission denied';
  if (isMissing(error)) return 'It does not exist, or its name cannot be read';
  return error instanceof Error ? error.message : String(error);
}

function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
