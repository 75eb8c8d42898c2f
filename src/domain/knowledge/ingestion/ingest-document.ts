import type { Chunk } from '../../../extract/chunk-text.ts';
import { fileTypeFromMimeType } from '../../../extract/detect-file-type.ts';
import { ExtractError } from '../../../extract/extracted-text.ts';
import { isEmbeddingOutage } from '../../../models/embedding-failure.ts';
import { requireVectorSize } from '../../../models/require-dimensions.ts';
import type { ServingEmbedding } from '../../../models/serving-models.ts';
import { DomainError, diskFullError, isDiskFull } from '../../../platform/errors.ts';
import type { JobAttempt } from '../../../platform/jobs/job-types.ts';
import { runSql, type SqlClient } from '../../../platform/postgres/run-sql.ts';
import { type Adapters, type Context, createSystemContext, transaction } from '../../context.ts';
import { countEmbeddingTokens } from '../../usage/count-embedding-tokens.ts';
import type { Document } from '../documents.ts';
import { publishDocumentEvent } from '../publish-document-event.ts';
import { storageKey } from '../storage-key.ts';
import { embeddingInput } from './chunk-terms.ts';
import {
  type FailureReason,
  internalError,
  lastReason,
  permanentReason,
} from './failure-reason.ts';
import { postponeIngestion } from './postpone-ingestion.ts';
import { ensureEmbeddingModel, replaceChunks } from './replace-chunks.ts';
import { requestVectorIndex } from './request-vector-index.ts';
import { runWhileCurrent } from './run-while-current.ts';

/** Maximum time to store the chunks of a document. The largest documents have about ten thousand chunks. */
const storeTimeoutMs = 300_000;

const notWaiting = { waitingSince: null, waitingReason: null };

interface DocumentRef {
  readonly projectId: string;
  readonly documentId: string;
}

/**
 * Ingests a document: extracts, chunks and embeds it, then stores all chunks and sets `READY` in one transaction. On a
 * permanent error, or on the last attempt, sets `FAILED` with the reason. While the embedding model is unavailable, the
 * document waits, for at most 24 hours. It also waits while the disk is full.
 *
 * Safe to repeat and to run concurrently: only the attempt that started last stores its result. Returns null if the
 * document is deleted or already processed, or if a later attempt has started.
 *
 * @throws the original error when a retry may succeed.
 */
export async function ingestDocument(
  adapters: Adapters,
  { projectId, documentId }: DocumentRef,
  { signal, isLast, requestId }: JobAttempt,
): Promise<'READY' | 'FAILED' | 'WAITING' | null> {
  const context = createSystemContext(adapters, signal, requestId);
  const { count } = await context.db.document.updateMany({
    where: { id: documentId, projectId, status: 'PROCESSING' },
    data: { attempt: { increment: 1 } },
  });
  if (count === 0) return null;
  const document = await context.db.document.findFirst({
    where: { id: documentId, projectId },
    include: { project: { select: { organizationId: true } } },
  });
  if (document === null) return null;

  try {
    context.disk.requireSpace();
    if (document.waitingSince !== null) await throwDuringOutage(context);
    const contents = await runWhileCurrent(context, document, async (context) => {
      const chunks = await extract(context, document, document.project.organizationId);
      return embedChunks(context, document, chunks);
    });
    return contents !== null && (await storeContents(context, document, contents)) ? 'READY' : null;
  } catch (error) {
    signal.throwIfAborted();
    const outage = outageOf(error);
    if (outage !== null && (await postponeIngestion(context, document, outage))) return 'WAITING';
    const reason = permanentReason(error);
    if (reason === null && !isLast) throw error;
    if (!(error instanceof ExtractError)) {
      context.log.error({ err: error, documentId }, 'failed to ingest document');
    }
    await markFailed(context, document, reason ?? lastReason(error));
    return 'FAILED';
  }
}

/** Returns why the document must wait: the embedding model is unavailable, or the disk is full. */
function outageOf(error: unknown): string | null {
  if (isDiskFull(error)) return diskFullError().message;
  return isEmbeddingOutage(error) ? error.message : null;
}

/** During an outage, a document that waits is not extracted again. */
async function throwDuringOutage({ models }: Context): Promise<void> {
  const outage = (await models.servingEmbedding()).model?.documentOutage?.();
  if (outage != null) throw outage;
}

/** Sets a document to `FAILED` after all attempts of its ingestion job died, so that no document stays `PROCESSING`. */
export async function failDocument(
  adapters: Adapters,
  { projectId, documentId }: DocumentRef,
  { signal, requestId }: JobAttempt,
): Promise<void> {
  const context = createSystemContext(adapters, signal, requestId);
  const document = await context.db.document.findFirst({ where: { id: documentId, projectId } });
  if (document === null) return;
  await markFailed(context, document, internalError);
}

async function extract(
  { storage, extractor, signal }: Context,
  document: Document,
  organizationId: string,
): Promise<readonly Chunk[]> {
  const key = storageKey(document.projectId, document.id);
  const sizeBytes = Number(document.sizeBytes);
  await using copy = await storage.getLocalCopy({ key, sizeBytes }, signal);
  const type = fileTypeFromMimeType(document.mimeType);
  // `await` keeps the local copy until extraction has finished.
  return await extractor.extract({ path: copy.path, type }, { signal, group: organizationId });
}

/** The chunks of a document with their vectors. */
interface Contents {
  readonly chunks: readonly Chunk[];
  /** The model of the vectors. */
  readonly serving: ServingEmbedding;
  /** One vector per chunk; none without an embedding model. */
  readonly vectors: readonly Float32Array[];
}

/** Returns false if the document was deleted or a later attempt has started. */
async function storeContents(
  context: Context,
  document: Document,
  { chunks, serving, vectors }: Contents,
): Promise<boolean> {
  const { projectId, id: documentId, attempt } = document;
  const storeInTransaction = async (context: Context) => {
    const { db } = context;
    const modelId = await lockServingModel(db, serving, vectors);
    const { count } = await db.document.updateMany({
      where: { id: documentId, projectId, attempt, status: 'PROCESSING' },
      data: {
        status: 'READY',
        chunkCount: chunks.length,
        tokenCount: chunks.reduce((sum, chunk) => sum + chunk.tokenCount, 0),
        errorCode: null,
        errorMessage: null,
        processedAt: new Date(),
        ...notWaiting,
      },
    });
    if (count === 0) return false;
    await replaceChunks(db, {
      projectId,
      documentId,
      documentName: document.name,
      modelId,
      chunks,
      vectors,
    });
    await publishDocumentEvent(context, { projectId, documentId });
    if (modelId !== null) await requestVectorIndex(context, { projectId, modelId });
    return true;
  };
  return transaction(context, storeInTransaction, { timeoutMs: storeTimeoutMs });
}

/**
 * Returns the id of the embedding model for the vectors, or null if there are no vectors. Locks the model until the
 * transaction finishes, so that `reindex` does not miss chunks.
 *
 * @throws DomainError CONFLICT when the active model has changed. The job is then retried.
 * @throws DomainError MODEL_ERROR when the vectors have too many dimensions, or others than the stored vectors.
 */
async function lockServingModel(
  db: SqlClient,
  serving: ServingEmbedding,
  vectors: readonly Float32Array[],
): Promise<number | null> {
  const dimensions = vectors[0]?.length ?? 0;
  if (serving.id === null && serving.model !== null) {
    await ensureEmbeddingModel(db, { name: serving.model.name, dimensions });
  }
  const [activeModel] = await runSql<{ id: number; name: string; dimensions: number }>(
    db,
    `select id, name, dimensions from grounded.embedding_models where status = 'ACTIVE' for share`,
  );
  const isSame =
    serving.id === null
      ? activeModel?.name === serving.model?.name
      : activeModel?.id === serving.id;
  if (!isSame) throw new DomainError('CONFLICT', 'The active embedding model has changed');
  if (serving.model === null || activeModel === undefined) return null;
  for (const vector of vectors) requireVectorSize(vector, activeModel.dimensions);
  return activeModel.id;
}

/** Embeds the chunks. The tokens count as usage even if the document fails later. */
async function embedChunks(
  context: Context,
  document: Document,
  chunks: readonly Chunk[],
): Promise<Contents> {
  const serving = await context.models.servingEmbedding();
  if (serving.model === null) return { chunks, serving, vectors: [] };
  const texts = chunks.map((chunk) => embeddingInput(document.name, chunk));
  const options = { signal: context.signal, kind: 'document' } as const;
  const { vectors, tokens } = await serving.model.embed(texts, options);
  await countEmbeddingTokens(context, document.projectId, tokens);
  return { chunks, serving, vectors };
}

async function markFailed(
  context: Context,
  { id, projectId, attempt }: Document,
  { code, message }: FailureReason,
): Promise<void> {
  await transaction(context, async (context) => {
    const { count } = await context.db.document.updateMany({
      where: { id, projectId, attempt, status: 'PROCESSING' },
      data: {
        status: 'FAILED',
        errorCode: code,
        errorMessage: message,
        processedAt: new Date(),
        ...notWaiting,
      },
    });
    if (count > 0) await publishDocumentEvent(context, { projectId, documentId: id });
  });
}
