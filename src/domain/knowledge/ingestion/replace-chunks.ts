import type { Chunk } from '../../../extract/chunk-text.ts';
import { requireIndexableSize } from '../../../models/require-dimensions.ts';
import { newId } from '../../../platform/ids.ts';
import { runSql, type SqlClient } from '../../../platform/postgres/run-sql.ts';
import { chunkTerms } from './chunk-terms.ts';

export interface ReplaceChunksInput {
  readonly projectId: string;
  readonly documentId: string;
  readonly documentName: string;
  /** Id from `ensureEmbeddingModel`; null if there are no vectors. */
  readonly modelId: number | null;
  readonly chunks: readonly Chunk[];
  /** One per chunk, in order; empty when `modelId` is null. */
  readonly vectors: readonly Float32Array[];
}

/** Number of chunks per statement. Computing the terms of this number of chunks blocks the event loop for 20 ms. */
const insertBatchSize = 100;

/** Replaces a document's chunks. Call it in the transaction that sets the document to READY. */
export async function replaceChunks(db: SqlClient, input: ReplaceChunksInput): Promise<void> {
  const { projectId, documentId, documentName, modelId } = input;
  await runSql(db, deleteChunks, [projectId, documentId]);
  for (let from = 0; from < input.chunks.length; from += insertBatchSize) {
    const chunks = input.chunks.slice(from, from + insertBatchSize);
    const ids = chunks.map(() => newId());
    const terms = chunks.map((chunk) => chunkTerms(projectId, documentName, chunk));
    await runSql(db, insertChunks, [
      projectId,
      documentId,
      ids,
      chunks.map((chunk) => chunk.position),
      chunks.map((chunk) => chunk.content),
      chunks.map((chunk) => chunk.context),
      chunks.map((chunk) => chunk.page),
      chunks.map((chunk) => chunk.startOffset),
      chunks.map((chunk) => chunk.endOffset),
      chunks.map((chunk) => chunk.tokenCount),
      terms.map((row) => row.terms),
      terms.map((row) => row.length),
    ]);
    if (modelId === null) continue;
    const vectors = input.vectors.slice(from, from + insertBatchSize).map(vectorLiteral);
    await runSql(db, insertVectors, [modelId, projectId, ids, vectors]);
  }
}

/**
 * Returns the id of an embedding model. Inserts a new model as ACTIVE if no other model is active, else as BUILDING.
 *
 * @throws DomainError MODEL_ERROR when its vectors have too many dimensions.
 */
export async function ensureEmbeddingModel(
  db: SqlClient,
  input: { readonly name: string; readonly dimensions: number },
): Promise<number> {
  requireIndexableSize(input.dimensions);
  const values = [input.name, input.dimensions];
  const [known] = await runSql<{ id: number }>(db, findModel, values);
  if (known !== undefined) return known.id;
  await runSql(db, insertModel, values);
  const [added] = await runSql<{ id: number }>(db, findModel, values);
  if (added === undefined) throw new Error('The embedding model was removed while it was added');
  return added.id;
}

/** Returns the vector in pgvector's text form. */
export function vectorLiteral(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}

const deleteChunks = `
  delete from grounded.chunks where project_id = $1::uuid and document_id = $2::uuid`;

const insertChunks = `
  insert into grounded.chunks (id, project_id, document_id, position, content, context, page,
                               start_offset, end_offset, token_count, terms, length)
  select t.id, $1::uuid, $2::uuid, t.position, t.content, t.context, t.page,
         t.start_offset, t.end_offset, t.token_count, t.terms::tsvector, t.length
  from unnest($3::uuid[], $4::int[], $5::text[], $6::text[], $7::int[], $8::int[], $9::int[], $10::int[],
              $11::text[], $12::int[])
    as t (id, position, content, context, page, start_offset, end_offset, token_count, terms, length)`;

const insertVectors = `
  insert into grounded.chunk_vectors (project_id, chunk_id, model_id, embedding)
  select $2::uuid, t.id, $1::smallint, grounded.vector_of(t.literal)
  from unnest($3::uuid[], $4::text[]) as t (id, literal)`;

const findModel = `
  select id from grounded.embedding_models where name = $1::text and dimensions = $2::int`;

const insertModel = `
  insert into grounded.embedding_models (name, dimensions, status)
  select $1::text, $2::int,
         case when exists (select from grounded.embedding_models where status = 'ACTIVE') then 'BUILDING' else 'ACTIVE' end
  on conflict do nothing`;
