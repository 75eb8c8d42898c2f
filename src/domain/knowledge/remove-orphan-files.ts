import type { Adapters } from '../context.ts';
import { isId } from '../ids.ts';
import type { StoredFile } from '../storage/storage.ts';
import { storageKey } from './storage-key.ts';

/** Longer than any upload, and than clocks differ. */
const usualMinAgeMs = 24 * 60 * 60 * 1000;

/**
 * Removes stored files without a document: of uploads whose row was never written, and of deletions that gave up.
 * Of files that a project of this database would own alone: another service may keep its own in the same place.
 * Throws the signal's reason when it aborts, and `UNAVAILABLE` when the storage cannot be reached.
 */
export async function removeOrphanFiles(
  { pool, storage, log }: Pick<Adapters, 'pool' | 'storage' | 'log'>,
  signal: AbortSignal,
  { minAgeMs = usualMinAgeMs }: { readonly minAgeMs?: number } = {},
): Promise<void> {
  const storedBefore = Date.now() - minAgeMs;
  for await (const page of storage.list(signal)) {
    const refs = page.filter(({ storedAt }) => storedAt.getTime() < storedBefore).flatMap(readKey);
    const values = [refs.map(({ projectId }) => projectId), refs.map((ref) => ref.documentId)];
    const { rows } = await pool.query<Ref>({ ...findOrphans, values });
    const keys = rows.map(({ projectId, documentId }) => storageKey(projectId, documentId));
    await storage.remove(keys, signal);
    if (keys.length > 0) log.info({ count: keys.length }, 'removed files without a document');
  }
}

interface Ref {
  readonly projectId: string;
  readonly documentId: string;
}

/** None for what no document of ours can have stored. */
function readKey({ key }: StoredFile): Ref[] {
  const [projectId = '', documentId = '', ...rest] = key.split('/');
  const isOurs = rest.length === 0 && isId(projectId) && isId(documentId);
  return isOurs ? [{ projectId, documentId }] : [];
}

const findOrphans = {
  name: 'find-orphan-files',
  text: `
    select file.project_id as "projectId", file.document_id as "documentId"
    from unnest($1::uuid[], $2::uuid[]) as file (project_id, document_id)
    join grounded.projects project on project.id = file.project_id
    where not exists (
      select from grounded.documents document
      where document.id = file.document_id and document.project_id = file.project_id)`,
};
