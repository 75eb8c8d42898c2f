import { newId } from '../ids.ts';
import type { Sql } from '../sql.ts';
import { chunkTerms } from './chunk-rows.ts';
import type { Chunk } from './chunk-text.ts';

export interface DocumentChunks {
  readonly projectId: string;
  readonly documentId: string;
  readonly documentName: string;
  /** Of `findEmbeddingModel`; null when there are no vectors. */
  readonly modelId: number | null;
  readonly chunks: readonly Chunk[];
  /** One per chunk, in order; empty when `modelId` is null. */
  readonly vectors: readonly Float32Array[];
}

/** Rows of one statement: making their terms keeps the event loop for 20 ms. */
const BATCH = 100;

/** Puts a document's chunks in place of those it had. Meant for the transaction that makes the document READY. */
export async function replaceChunks(sql: Sql, input: DocumentChunks): Promise<void> {
  const { projectId, documentId, documentName, modelId } = input;
  await sql.query(REMOVE_CHUNKS, [projectId, documentId]);
  for (let from = 0; from < input.chunks.length; from += BATCH) {
    const chunks = input.chunks.slice(from, from + BATCH);
    const ids = chunks.map(() => newId());
    const terms = chunks.map((chunk) => chunkTerms(projectId, documentName, chunk));
    await sql.query(INSERT_CHUNKS, [
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
    const vectors = input.vectors.slice(from, from + BATCH).map(vectorLiteral);
    await sql.query(INSERT_VECTORS, [modelId, projectId, ids, vectors]);
  }
}

/** The id of a model, made known when it is new: ACTIVE when no other is, else BUILDING. */
export async function findEmbeddingModel(
  sql: Sql,
  input: { readonly name: string; readonly dimensions: number },
): Promise<number> {
  const [row] = await sql.query(FIND_MODEL, [input.name, input.dimensions]);
  if (row) return Number(row.id);
  await sql.query(ADD_MODEL, [input.name, input.dimensions]);
  const [added] = await sql.query(FIND_MODEL, [input.name, input.dimensions]);
  return Number(added?.id);
}

/** pgvector's text form. */
export function vectorLiteral(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}

const REMOVE_CHUNKS = `
  delete from grounded.chunks where project_id = $1::uuid and document_id = $2::uuid`;

const INSERT_CHUNKS = `
  insert into grounded.chunks (id, project_id, document_id, position, content, context, page,
                               start_offset, end_offset, token_count, terms, length)
  select t.id, $1::uuid, $2::uuid, t.position, t.content, t.context, t.page,
         t.start_offset, t.end_offset, t.token_count, t.terms::tsvector, t.length
  from unnest($3::uuid[], $4::int[], $5::text[], $6::text[], $7::int[], $8::int[], $9::int[], $10::int[],
              $11::text[], $12::int[])
    as t (id, position, content, context, page, start_offset, end_offset, token_count, terms, length)`;

const INSERT_VECTORS = `
  insert into grounded.chunk_vectors (project_id, chunk_id, model_id, embedding)
  select $2::uuid, t.id, $1::smallint, grounded.vector_of(t.literal)
  from unnest($3::uuid[], $4::text[]) as t (id, literal)`;

const FIND_MODEL = `
  select id from grounded.embedding_models where name = $1::text and dimensions = $2::int`;

const ADD_MODEL = `
  insert into grounded.embedding_models (name, dimensions, status)
  select $1::text, $2::int,
         case when exists (select from grounded.embedding_models where status = 'ACTIVE') then 'BUILDING' else 'ACTIVE' end
  on conflict do nothing`;
