import type { Chunk } from '../../../extract/chunks/chunk-text.ts';
import type { ExtractedChunks } from '../../../extract/process/extract-protocol.ts';
import type { ServingEmbedding } from '../../../models/serving-models.ts';
import { createFairSlots } from '../../../platform/fair-slots.ts';
import { dominantLanguage } from '../../../text/dominant-language.ts';
import type { Context } from '../../context.ts';
import { embeddingInput } from './chunk-terms.ts';
import { requireServingModel } from './embedding-model-row.ts';
import { hideAttempt } from './hidden-chunks.ts';
import { type ChunkBatch, insertChunks, maxBatchChunks } from './insert-chunks.ts';
import { type Published, publishAttempt } from './publish-attempt.ts';
import { findReusableVectors, type ReusableVectors } from './reusable-vectors.ts';
import type { IngestionAttempt } from './start-attempt.ts';

/**
 * Limits for how many documents this process writes chunks at the same time. Further documents would only wait for the
 * database.
 */
const writingSlots = createFairSlots(3);

/** Number of chunks that one call embeds. In the meantime, the chunks of the previous call are stored. */
const chunksPerCall = 288;

interface EmbeddedChunks {
  readonly chunks: readonly Chunk[];
  /** One vector per chunk. Empty if no embedding model is configured. */
  readonly vectors: readonly Float32Array[];
}

/**
 * Embeds and stores the chunks of a document, and then publishes all of them at once. Stores a large document with many
 * short statements while it embeds later chunks. Searches ignore the chunks until all are stored. Returns null if the
 * document was deleted or a later attempt has started.
 */
export async function storeDocumentContents(
  context: Context,
  attempt: IngestionAttempt,
  { chunks, warnings }: ExtractedChunks,
): Promise<Published | null> {
  const serving = await context.models.servingEmbedding();
  const total = {
    warnings,
    chunks: chunks.length,
    tokens: chunks.reduce((sum, chunk) => sum + chunk.tokenCount, 0),
    language: dominantLanguage(sampleOf(chunks)),
  };
  const reusable = await findReusableVectors(context, attempt, serving);
  const embed = (part: readonly Chunk[]) => embedPart(context, attempt, serving, reusable, part);
  let isHidden = false;
  for await (const part of embedParts(chunks, embed)) {
    context.signal.throwIfAborted();
    using _slot = await writingSlots.acquire(attempt.organizationId, context.signal);
    let modelId: number | null | undefined;
    for (const batch of batchesOf(attempt, part)) {
      if (batch.chunks.at(-1) === chunks.at(-1)) {
        return await publishAttempt(context, attempt, serving, { last: batch, ...total });
      }
      isHidden ||= await hideAttempt(context, attempt, chunks.length);
      if (!isHidden) return null;
      modelId ??= await requireServingModel(context.pool, serving, part.vectors);
      if (!(await insertChunks(context.pool, batch, modelId))) return null;
    }
  }
  throw new Error('The document has no chunks');
}

/** Maximum number of chunks whose language is detected. Each takes less than a millisecond. */
const maxSampled = 32;

/** Returns the texts of chunks from the whole document, at equal distances. */
function sampleOf(chunks: readonly Chunk[]): string[] {
  const step = Math.max(1, chunks.length / maxSampled);
  const count = Math.min(chunks.length, maxSampled);
  return Array.from(
    { length: count },
    (_, index) => chunks[Math.floor(index * step)]?.content ?? '',
  );
}

/** Embeds the next part of the chunks while the caller stores the current part. */
async function* embedParts(
  chunks: readonly Chunk[],
  embedPart: (part: readonly Chunk[]) => Promise<EmbeddedChunks>,
): AsyncGenerator<EmbeddedChunks> {
  const embed = (from: number) => embedPart(chunks.slice(from, from + chunksPerCall));
  let current = embed(0);
  for (let from = 0; from < chunks.length; from += chunksPerCall) {
    const part = await current;
    if (from + chunksPerCall < chunks.length) {
      current = embed(from + chunksPerCall);
      // The error is thrown when the promise is awaited. If the caller stops before, this handler prevents a crash.
      current.catch(() => {});
    }
    yield part;
  }
}

/**
 * Embeds the chunks, except chunks that the published version also contains. The tokens count as usage even if the
 * document fails later.
 */
async function embedPart(
  { signal, tokenCounter }: Context,
  { name, projectId }: IngestionAttempt,
  { model }: ServingEmbedding,
  reusable: ReusableVectors,
  chunks: readonly Chunk[],
): Promise<EmbeddedChunks> {
  if (model === null) return { chunks, vectors: [] };
  const known = await reusable(chunks);
  const texts = chunks
    .filter((_, index) => known[index] == null)
    .map((chunk) => embeddingInput(name, chunk));
  if (texts.length === 0) return { chunks, vectors: known.filter((vector) => vector !== null) };
  const { vectors, tokens } = await model.embed(texts, { signal, kind: 'document' });
  tokenCounter.add(projectId, [{ model: model.name, kind: 'EMBEDDING', tokens }]);
  let used = 0;
  return { chunks, vectors: known.map((vector) => vector ?? requireVector(vectors[used++])) };
}

function requireVector(vector: Float32Array | undefined): Float32Array {
  if (vector === undefined) throw new Error('The embedding model returned too few vectors');
  return vector;
}

function* batchesOf(
  { id: documentId, projectId, name: documentName, attempt }: IngestionAttempt,
  { chunks, vectors }: EmbeddedChunks,
): Generator<ChunkBatch> {
  for (let from = 0; from < chunks.length; from += maxBatchChunks) {
    const to = from + maxBatchChunks;
    const contents = { chunks: chunks.slice(from, to), vectors: vectors.slice(from, to) };
    yield { projectId, documentId, documentName, attempt, ...contents };
  }
}
