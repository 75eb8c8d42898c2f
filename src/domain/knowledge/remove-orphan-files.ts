import { isId } from '../../platform/ids.ts';
import { defineJob, noPayload, scheduledQueue } from '../../platform/jobs/job.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { StoredFile } from '../../platform/storage/document-storage.ts';
import type { Adapters } from '../context.ts';
import { storageKey } from './storage-key.ts';

export const removeOrphanFilesJob = defineJob({
  name: 'remove-orphan-files',
  payload: noPayload,
  queue: { ...scheduledQueue, expireInSeconds: 3600 },
  schedule: '43 3 * * *',
  concurrency: 1,
  run: (adapters: Adapters, _payload, { signal }) => removeOrphanFiles(adapters, signal),
});

/** Only files older than this are deleted. Longer than any upload takes, including clock differences between hosts. */
const defaultMinAgeMs = 24 * 60 * 60 * 1000;

/**
 * Deletes stored files that have no document. Failed uploads, replacements and deletions leave such files. Checks only
 * files of projects in this database, because other installations may use the same storage bucket.
 *
 * @throws the signal's reason when it aborts.
 * @throws DomainError UNAVAILABLE when the storage cannot be reached.
 */
export async function removeOrphanFiles(
  { pool, storage, log }: Pick<Adapters, 'pool' | 'storage' | 'log'>,
  signal: AbortSignal,
  { minAgeMs = defaultMinAgeMs }: { readonly minAgeMs?: number } = {},
): Promise<void> {
  const storedBefore = Date.now() - minAgeMs;
  for await (const page of storage.list(signal)) {
    const refs = page
      .filter(({ storedAt }) => storedAt.getTime() < storedBefore)
      .flatMap(parseStorageKey);
    const values = [refs.map(({ projectId }) => projectId), refs.map((ref) => ref.fileId)];
    const orphans = await runSql<FileRef>(pool, findOrphans, values);
    const keys = orphans.map(({ projectId, fileId }) => storageKey(projectId, fileId));
    await storage.remove(keys, signal);
    if (keys.length > 0) log.info({ count: keys.length }, 'removed files without a document');
  }
}

interface FileRef {
  readonly projectId: string;
  readonly fileId: string;
}

/** Parses a storage key. Returns an empty array for a file that this service did not store. */
function parseStorageKey({ key }: StoredFile): FileRef[] {
  const [projectId = '', fileId = '', ...rest] = key.split('/');
  const isOurs = rest.length === 0 && isId(projectId) && isId(fileId);
  return isOurs ? [{ projectId, fileId }] : [];
}

const findOrphans = {
  name: 'find-orphan-files',
  text: `
    select file.project_id as "projectId", file.id as "fileId"
    from unnest($1::uuid[], $2::uuid[]) as file (project_id, id)
    join grounded.projects project on project.id = file.project_id
    where not exists (
      select from grounded.documents document
      where document.project_id = file.project_id and document.id = file.id and document.file_id is null)
    and not exists (
      select from grounded.documents document
      where document.project_id = file.project_id and document.file_id = file.id)`,
};
