import {
  type ChunkBatch,
  insertChunks,
  maxBatchChunks,
} from '../../../src/domain/knowledge/ingestion/insert-chunks.ts';
import { runSql, type SqlClient } from '../../../src/platform/postgres/run-sql.ts';

/** Replaces the chunks of a READY document. */
export async function replaceChunks(
  db: SqlClient,
  input: Omit<ChunkBatch, 'attempt'> & { readonly modelId: number | null },
): Promise<void> {
  const { documentId, chunks, vectors, modelId } = input;
  const setStatus = (status: string) =>
    runSql(
      db,
      `update grounded.documents set status = $2::grounded.document_status where id = $1::uuid`,
      [documentId, status],
    );
  await runSql(db, 'delete from grounded.chunks where document_id = $1::uuid', [documentId]);
  await setStatus('PROCESSING');
  for (let from = 0; from < chunks.length; from += maxBatchChunks) {
    const to = from + maxBatchChunks;
    const part = { chunks: chunks.slice(from, to), vectors: vectors.slice(from, to) };
    if (!(await insertChunks(db, { ...input, ...part, attempt: 0 }, modelId))) {
      throw new Error('The document does not exist');
    }
  }
  await setStatus('READY');
}
