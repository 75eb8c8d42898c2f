import { createHash } from 'node:crypto';
import type { ServingEmbedding } from '../../../models/serving-models.ts';
import { runSql } from '../../../platform/postgres/run-sql.ts';
import type { Context } from '../../context.ts';
import { documentTitle, type Passage } from './chunk-terms.ts';
import type { IngestionAttempt } from './start-attempt.ts';

/** Returns, for each passage, the vector of a published chunk with the same text, or null. */
export type ReusableVectors = (
  passages: readonly Passage[],
) => Promise<readonly (Float32Array | null)[]>;

/**
 * Number of chunks that one statement hashes. Small, because the embedded database runs no other statement at the same
 * time.
 */
const hashedChunks = 1_000;

/**
 * Finds the published chunks of the document, so that a new version embeds only the chunks that have changed. Reads the
 * vectors of the chunks only when they are needed. If the title has changed, reuses nothing, because the embedded text
 * contains the title.
 */
export async function findReusableVectors(
  context: Pick<Context, 'pool' | 'signal'>,
  attempt: IngestionAttempt,
  serving: ServingEmbedding,
): Promise<ReusableVectors> {
  const { publishedName, name, projectId } = attempt;
  const isSameTitle =
    publishedName !== null && documentTitle(publishedName) === documentTitle(name);
  const { id: modelId, model } = serving;
  if (!isSameTitle || modelId === null || model === null)
    return async (passages) => passages.map(() => null);
  const chunkIds = await hashPublishedChunks(context, attempt);
  return async (passages) => {
    const ids = passages.map((passage) => chunkIds.get(hashOf(passage)) ?? null);
    const found = [...new Set(ids)].filter((id) => id !== null);
    if (found.length === 0) return ids.map(() => null);
    const rows = await runSql<{ id: string; vector: string }>(context.pool, readVectors, [
      projectId,
      modelId,
      found,
    ]);
    const vectors = new Map(rows.map(({ id, vector }) => [id, parseVector(vector)]));
    return ids.map((id) => (id === null ? null : (vectors.get(id) ?? null)));
  };
}

/** Returns the ids of the published chunks. The keys of the map are the hashes of the chunks' texts. */
async function hashPublishedChunks(
  { pool, signal }: Pick<Context, 'pool' | 'signal'>,
  { projectId, id }: IngestionAttempt,
): Promise<Map<string, string>> {
  const chunkIds = new Map<string, string>();
  let last = -1;
  let rows: HashedChunk[];
  do {
    signal.throwIfAborted();
    rows = await runSql<HashedChunk>(pool, hashChunks, [projectId, id, last, hashedChunks]);
    for (const row of rows) chunkIds.set(row.hash, row.id);
    last = rows.at(-1)?.position ?? last;
  } while (rows.length === hashedChunks);
  return chunkIds;
}

interface HashedChunk {
  readonly id: string;
  readonly position: number;
  readonly hash: string;
}

function hashOf({ context, content }: Passage): string {
  return createHash('sha256').update(`${context}\n${content}`).digest('hex');
}

function parseVector(text: string): Float32Array {
  return Float32Array.from(text.slice(1, -1).split(','), Number);
}

const hashChunks = `
  select id, position, encode(sha256(convert_to(context || E'\\n' || content, 'UTF8')), 'hex') as hash
  from grounded.published_chunks
  where project_id = $1::uuid and document_id = $2::uuid and position > $3::int
  order by position limit $4::int`;

const readVectors = `
  select chunk_id as id, embedding::text as vector from grounded.chunk_vectors
  where project_id = $1::uuid and model_id = $2::smallint and chunk_id = any ($3::uuid[])`;
