import type { Chunk } from '../../../extract/chunks/chunk-text.ts';
import { newId } from '../../../platform/ids.ts';
import { runSql, type SqlClient, type SqlValue } from '../../../platform/postgres/run-sql.ts';
import { chunkTerms } from './chunk-terms.ts';
import { vectorArray } from './vector-array.ts';

export interface ChunkBatch {
  readonly projectId: string;
  readonly documentId: string;
  readonly documentName: string;
  readonly attempt: number;
  /** The chunks to store, at most `maxBatchChunks`. */
  readonly chunks: readonly Chunk[];
  /** One vector per chunk, in the same order. Empty if no embedding model is configured. */
  readonly vectors: readonly Float32Array[];
}

/**
 * Maximum number of chunks in one statement. Such a statement takes about 50 ms on the embedded database, which runs no
 * other statement in this time.
 */
export const maxBatchChunks = 20;

/**
 * Stores chunks with their vectors, with one SQL statement. `modelId` is null if there are no vectors. If the document
 * was deleted or is already processed, or if a later attempt has started, stores nothing and returns false.
 */
export async function insertChunks(
  db: SqlClient,
  batch: ChunkBatch,
  modelId: number | null,
): Promise<boolean> {
  const rows = await runSql(db, insertStatement, chunkValues(batch, modelId));
  return rows.length > 0;
}

/** Returns the parameters $1 to $16 of `chunkSteps`. */
export function chunkValues(
  { projectId, documentId, documentName, attempt, chunks, vectors }: ChunkBatch,
  modelId: number | null,
): SqlValue[] {
  const terms = chunks.map((chunk) => chunkTerms(projectId, documentName, chunk));
  return [
    projectId,
    documentId,
    attempt,
    modelId,
    chunks.map(() => newId()),
    chunks.map((chunk) => chunk.position),
    chunks.map((chunk) => chunk.content),
    chunks.map((chunk) => chunk.context),
    chunks.map((chunk) => chunk.page),
    chunks.map((chunk) => chunk.startOffset),
    chunks.map((chunk) => chunk.endOffset),
    chunks.map((chunk) => chunk.tokenCount),
    terms.map((row) => row.terms),
    terms.map((row) => row.length),
    modelId === null ? null : vectorArray(vectors),
    chunks.map((chunk) => chunk.blocks),
  ];
}

/**
 * Steps after `current`, which must lock the document: insert the chunks of the document that it found and, with a
 * model, their vectors.
 */
export const chunkSteps = `
  inserted as (
    insert into grounded.chunks (id, project_id, document_id, attempt, position, content, context, page,
                                 start_offset, end_offset, token_count, terms, length, blocks)
    select t.id, $1::uuid, $2::uuid, $3::int, t.position, t.content, t.context, t.page,
           t.start_offset, t.end_offset, t.token_count, t.terms::tsvector, t.length, t.blocks
    from current, unnest($5::uuid[], $6::int[], $7::text[], $8::text[], $9::int[], $10::int[], $11::int[], $12::int[],
                         $13::text[], $14::int[], $16::text[])
      as t (id, position, content, context, page, start_offset, end_offset, token_count, terms, length, blocks)
  ), embedded as (
    insert into grounded.chunk_vectors (project_id, chunk_id, model_id, embedding)
    select $1::uuid, t.id, $4::smallint, t.vector
    from current, unnest($5::uuid[], $15::grounded.embedding[]) as t (id, vector)
    where $4::smallint is not null
  )`;

/** The lock makes a later attempt wait until the chunks are stored. So the later attempt finds and removes them. */
const insertStatement = {
  name: 'insert-chunks',
  keepsPlan: true,
  text: `
  with current as materialized (
    select id from grounded.documents
    where project_id = $1::uuid and id = $2::uuid and attempt = $3::int and status = 'PROCESSING'
    for share
  ), ${chunkSteps}
  select id from current`,
};
