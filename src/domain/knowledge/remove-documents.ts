import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Adapters, Context } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import { releaseStorage } from '../usage/storage-quota.ts';
import { storageKey } from './storage-key.ts';

/**
 * Deletes documents of a project for all readers, with a few statements: releases the storage and external ids of the
 * documents, and makes searches ignore their chunks. A job deletes the chunks and files later. Unknown ids are ignored.
 * Call it in a transaction. Returns the number of documents that were deleted.
 */
export async function removeDocuments(
  { db, queue }: Pick<Context, 'db' | 'queue'>,
  project: Pick<Project, 'id' | 'organizationId'>,
  ids: readonly string[],
): Promise<number> {
  const locked = await runSql<{ id: string; sizeBytes: number }>(db, lockDocuments, [
    project.id,
    ids,
  ]);
  if (locked.length === 0) return 0;
  const bytes = locked.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  // Update the storage before the rows, as `insertDocument` does. With the same order, the two transactions cannot wait
  // for each other.
  await releaseStorage(db, project.organizationId, bytes);
  const values = [project.id, locked.map(({ id }) => id)];
  await runSql(db, hideChunks, values);
  await runSql(db, markDeleted, values);
  await queue.enqueue(db, removeDocumentsJob, { projectId: project.id });
  return locked.length;
}

export const removeDocumentsJob = defineJob({
  name: 'remove-documents',
  payload: z.object({ projectId: z.string() }),
  queue: { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 3600 },
  concurrency: 1,
  run: (adapters: Adapters, { projectId }, { signal }) =>
    removeDeletedDocuments(adapters, projectId, signal),
});

/** Maximum numbers of chunks (with their vectors) and of documents that one statement deletes. */
const chunkBatchSize = 50;
const documentBatchSize = 100;

/**
 * Deletes the chunks, files and rows of the project's deleted documents. Uses many short statements, because the
 * embedded database runs no other statement at the same time. Safe to repeat and to run concurrently.
 *
 * @throws DomainError UNAVAILABLE when the storage cannot be reached.
 */
async function removeDeletedDocuments(
  { pool, storage }: Pick<Adapters, 'pool' | 'storage'>,
  projectId: string,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const values = [projectId, documentBatchSize];
    const documents = await runSql<{ id: string; fileId: string }>(pool, findDeleted, values);
    if (documents.length === 0) return;
    const ids = documents.map(({ id }) => id);
    let chunks: object[];
    do {
      signal.throwIfAborted();
      chunks = await runSql(pool, deleteChunks, [projectId, ids, chunkBatchSize]);
    } while (chunks.length > 0);
    const keys = documents.map(({ fileId }) => storageKey(projectId, fileId));
    await storage.remove(keys, signal);
    await runSql(pool, deleteRows, [projectId, ids]);
  }
}

const lockDocuments = `
  select id, size_bytes::float8 as "sizeBytes" from grounded.documents
  where project_id = $1::uuid and id = any ($2::uuid[]) and deleted_at is null
  order by id for update`;

/**
 * Finds the attempts of each document by their first chunks (position 0). Attempts that are not published are already
 * hidden.
 */
const hideChunks = `
  insert into grounded.hidden_chunks (project_id, document_id, attempt, chunks)
  select d.project_id, d.id, c.attempt, d.chunk_count
  from grounded.documents d
  join grounded.chunks c on c.project_id = d.project_id and c.document_id = d.id and c.position = 0
  where d.project_id = $1::uuid and d.id = any ($2::uuid[])
  on conflict (project_id, document_id, attempt) do nothing`;

/**
 * The status READY stops a running ingestion, and removes the document from the lists of waiting and failed documents.
 * The new `processed_at` makes processes with a search index in memory read the document's chunks again, which are now
 * hidden.
 */
const markDeleted = `
  update grounded.documents
  set deleted_at = now(), updated_at = now(), processed_at = now(), status = 'READY', attempt = attempt + 1,
    external_id = null, source_id = null
  where project_id = $1::uuid and id = any ($2::uuid[])`;

const findDeleted = `
  select id, coalesce(file_id, id) as "fileId" from grounded.documents
  where project_id = $1::uuid and deleted_at is not null order by id limit $2::int`;

const deleteChunks = `
  delete from grounded.chunks c
  using (select id from grounded.chunks
    where project_id = $1::uuid and document_id = any ($2::uuid[]) limit $3::int) removed
  where c.project_id = $1::uuid and c.id = removed.id
  returning c.id`;

const deleteRows = `
  delete from grounded.documents
  where project_id = $1::uuid and id = any ($2::uuid[]) and deleted_at is not null`;
