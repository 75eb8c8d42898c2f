import { runSql } from '../../../platform/postgres/run-sql.ts';
import type { Context } from '../../context.ts';
import type { DocumentRef, IngestionAttempt } from './start-attempt.ts';

/**
 * Makes searches ignore the chunks of this attempt until `publishAttempt`. Call it before the attempt stores any chunk.
 * Returns false if a later attempt has started.
 */
export async function hideAttempt(
  { pool }: Pick<Context, 'pool'>,
  { projectId, id, attempt }: IngestionAttempt,
  chunks: number,
): Promise<boolean> {
  const rows = await runSql(pool, hideStatement, [projectId, id, attempt, chunks]);
  return rows.length > 0;
}

/** Number of chunks that one statement deletes, with their vectors. */
const removalBatchSize = 50;

/**
 * Deletes hidden chunks of a document that no running attempt can publish: the chunks of earlier attempts, or all
 * hidden chunks if the document is processed. Uses many short statements, because the embedded database runs no other
 * statement at the same time.
 */
export async function removeHiddenChunks(
  { pool, signal }: Pick<Context, 'pool' | 'signal'>,
  { projectId, documentId }: DocumentRef,
): Promise<void> {
  const values = [projectId, documentId];
  for (const { attempt } of await runSql<{ attempt: number }>(pool, findRemovable, values)) {
    let removed: object[];
    do {
      signal.throwIfAborted();
      removed = await runSql(pool, removeBatch, [...values, attempt, removalBatchSize]);
    } while (removed.length > 0);
    await runSql(pool, removeMark, [...values, attempt]);
  }
}

const hideStatement = `
  insert into grounded.hidden_chunks (project_id, document_id, attempt, chunks)
  select project_id, id, attempt, $4::int from grounded.documents
  where project_id = $1::uuid and id = $2::uuid and attempt = $3::int and status = 'PROCESSING'
  returning attempt`;

const findRemovable = `
  select h.attempt from grounded.hidden_chunks h
  join grounded.documents d on d.project_id = h.project_id and d.id = h.document_id
  where h.project_id = $1::uuid and h.document_id = $2::uuid
    and (h.attempt < d.attempt or d.status <> 'PROCESSING')`;

const removeBatch = `
  delete from grounded.chunks c
  using (select id from grounded.chunks
    where project_id = $1::uuid and document_id = $2::uuid and attempt = $3::int limit $4::int) removed
  where c.project_id = $1::uuid and c.id = removed.id
  returning c.id`;

const removeMark = `
  delete from grounded.hidden_chunks
  where project_id = $1::uuid and document_id = $2::uuid and attempt = $3::int`;
