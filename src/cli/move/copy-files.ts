import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { storageKey } from '../../domain/knowledge/storage-key.ts';
import { DomainError } from '../../platform/errors.ts';
import type { DocumentStorage } from '../../platform/storage/document-storage.ts';

export interface CopiedFiles {
  readonly copied: number;
  /** Files that the target already had. */
  readonly present: number;
  /** Documents whose original file is missing in the source or does not match the hash of the document. */
  readonly missing: number;
}

/**
 * Copies the original files of all documents. Verifies each file in the target by the hash that its document has. Safe to
 * repeat: files that the target already has are not sent again. `client` must be in a transaction.
 * @throws DomainError UNAVAILABLE when the target does not store a file
 */
export async function copyFiles(
  client: pg.Client,
  source: DocumentStorage,
  target: DocumentStorage,
  logProgress: (message: string) => void,
): Promise<CopiedFiles> {
  const counts = { copied: 0, present: 0, missing: 0 };
  await client.query(`declare moved_files no scroll cursor for ${filesSql}`);
  for (;;) {
    const { rows } = await client.query<StoredOriginal>(`fetch ${filesAtOnce} from moved_files`);
    if (rows.length === 0) break;
    const results = await Promise.all(rows.map((file) => copyFile(source, target, file)));
    results.forEach((result, index) => {
      counts[result] += 1;
      if (result === 'missing')
        logProgress(`The source lacks the original file of the document ${rows[index]?.id}`);
    });
    const done = counts.copied + counts.present + counts.missing;
    if (done % 100 < rows.length) logProgress(`files: ${done}`);
  }
  await client.query('close moved_files');
  return counts;
}

const filesAtOnce = 4;

interface StoredOriginal {
  readonly id: string;
  readonly projectId: string;
  readonly fileId: string;
  readonly sizeBytes: number;
  readonly hash: string;
}

const filesSql = `
  select id, project_id as "projectId", coalesce(file_id, id) as "fileId", size_bytes::float8 as "sizeBytes",
    content_hash as hash
  from grounded.documents where deleted_at is null`;

async function copyFile(
  source: DocumentStorage,
  target: DocumentStorage,
  file: StoredOriginal,
): Promise<keyof CopiedFiles> {
  if (await withCopy(target, file, async () => true)) return 'present';
  const isCopied = await withCopy(source, file, async (path) => {
    await target.putFile(storageKey(file.projectId, file.fileId), path);
    return true;
  });
  if (!isCopied) return 'missing';
  if (await withCopy(target, file, async () => true)) return 'copied';
  throw new DomainError(
    'UNAVAILABLE',
    `The storage of the target returns another content for the document ${file.id}`,
  );
}

/** Runs `work` with a local copy of the file. Returns false if the storage has no file with this size and hash. */
async function withCopy(
  storage: DocumentStorage,
  { projectId, fileId, sizeBytes, hash }: StoredOriginal,
  work: (path: string) => Promise<boolean>,
): Promise<boolean> {
  let copy: Awaited<ReturnType<DocumentStorage['getLocalCopy']>>;
  try {
    copy = await storage.getLocalCopy({ key: storageKey(projectId, fileId), sizeBytes });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'UNAVAILABLE') throw error;
    return false; // no file, or one of another size
  }
  await using file = copy;
  return (await hashFile(file.path)) === hash && (await work(file.path));
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
