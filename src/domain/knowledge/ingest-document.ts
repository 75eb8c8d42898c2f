import { type Adapters, type Context, systemContext, transaction } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { JobAttempt } from '../jobs/queue.ts';
import type { EmbeddingModel } from '../models/models.ts';
import type { ServingEmbedding } from '../models/serving-models.ts';
import { transactionSql } from '../run-sql.ts';
import type { Sql } from '../sql.ts';
import { countEmbeddingTokens } from '../usage/count-embedding-tokens.ts';
import { embeddedText } from './chunk-rows.ts';
import { type Chunk, chunkText } from './chunk-text.ts';
import type { Document } from './documents.ts';

import { ExtractError, type ExtractedText } from './extract/extracted-text.ts';
import { fileTypeOf } from './file-type.ts';
import { publishDocumentEvent } from './publish-document-event.ts';
import { storageKey } from './storage-key.ts';
import { findEmbeddingModel, replaceChunks } from './write-chunks.ts';

/** What fits a page of Postgres and pgvector's indexes. */
const maxDimensions = 2_000;

/** The largest documents have some ten thousand chunks. */
const publishTimeoutMs = 300_000;

interface DocumentRef {
  readonly projectId: string;
  readonly documentId: string;
}

/**
 * Extracts, chunks and embeds a document, then makes it `READY` with all its chunks in one transaction, or
 * `FAILED` with the reason. Safe to run twice, also at once: the run that started last wins, and a document
 * that is gone or done is left alone, for which the answer is null. Throws when trying again may help.
 */
export async function ingestDocument(
  adapters: Adapters,
  { projectId, documentId }: DocumentRef,
  { signal, isLast, requestId }: JobAttempt,
): Promise<'READY' | 'FAILED' | null> {
  const context = systemContext(adapters, signal, requestId);
  const { count } = await context.db.document.updateMany({
    where: { id: documentId, projectId, status: 'PROCESSING' },
    data: { attempt: { increment: 1 } },
  });
  if (count === 0) return null;
  const document = await context.db.document.findFirst({ where: { id: documentId, projectId } });
  if (document === null) return null;

  try {
    const chunks = chunkText(await extract(adapters, document, signal));
    if (chunks.length === 0) throw new ExtractError('EMPTY_TEXT', 'The document holds no text');
    return (await publish(context, document, chunks)) ? 'READY' : null;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ExtractError) {
      await markFailed(context, document, error.code, error.message);
    } else if (isLast) {
      context.log.error({ err: error, documentId }, 'document could not be ingested');
      const isModel = error instanceof DomainError && error.code === 'MODEL_ERROR';
      await (isModel
        ? markFailed(context, document, 'EMBEDDING_ERROR', 'The embedding model did not answer')
        : markFailed(context, document, 'INTERNAL', 'The document could not be processed'));
    } else {
      throw error;
    }
    return 'FAILED';
  }
}

/** Ends a document whose ingestion died at every try, so that none stays `PROCESSING` for ever. */
export async function failDocument(
  adapters: Adapters,
  { projectId, documentId }: DocumentRef,
  { signal, requestId }: JobAttempt,
): Promise<void> {
  const context = systemContext(adapters, signal, requestId);
  const document = await context.db.document.findFirst({ where: { id: documentId, projectId } });
  if (document === null) return;
  await markFailed(context, document, 'INTERNAL', 'The document could not be processed');
}

async function extract(
  { storage, extractor }: Adapters,
  document: Document,
  signal: AbortSignal,
): Promise<ExtractedText> {
  const key = storageKey(document.projectId, document.id);
  const sizeBytes = Number(document.sizeBytes);
  await using copy = await storage.localCopy({ key, sizeBytes }, signal);
  const type = fileTypeOf(document.mimeType);
  // Awaited here: the copy is gone when this returns.
  return await extractor.extract({ path: copy.path, type }, { signal });
}

/** Says false where the document was deleted, or taken over by a later run, in the meantime. */
async function publish(
  context: Context,
  document: Document,
  chunks: readonly Chunk[],
): Promise<boolean> {
  const { projectId, id: documentId, attempt } = document;
  const serving = await context.models.servingEmbedding();
  const vectors = serving.model && (await embedChunks(context, serving.model, document, chunks));

  const publishChunks = async (context: Context) => {
    const { db } = context;
    const sql = transactionSql(db);
    const modelId = await lockServingModel(sql, serving, vectors?.[0]?.length ?? 0);
    const { count } = await db.document.updateMany({
      where: { id: documentId, projectId, attempt, status: 'PROCESSING' },
      data: {
        status: 'READY',
        chunkCount: chunks.length,
        tokenCount: chunks.reduce((sum, chunk) => sum + chunk.tokenCount, 0),
        errorCode: null,
        errorMessage: null,
        processedAt: new Date(),
      },
    });
    if (count === 0) return false;
    await replaceChunks(sql, {
      projectId,
      documentId,
      documentName: document.name,
      modelId,
      chunks,
      vectors: vectors ?? [],
    });
    await publishDocumentEvent(context, { projectId, documentId });
    return true;
  };
  return transaction(context, publishChunks, { timeoutMs: publishTimeoutMs });
}

/**
 * The model to record the vectors with, null without vectors. It stays the serving one until the transaction
 * ends, so that no chunk is missed by a re-indexing; where it no longer is, the job is tried again.
 */
async function lockServingModel(
  sql: Sql,
  serving: ServingEmbedding,
  dimensions: number,
): Promise<number | null> {
  if (serving.id === null && serving.model !== null) {
    if (dimensions > maxDimensions) {
      throw new DomainError('MODEL_ERROR', `Vectors of ${dimensions} dimensions are too long`);
    }
    await findEmbeddingModel(sql, { name: serving.model.name, dimensions });
  }
  const [active] = await sql.query(
    `select id, name from grounded.embedding_models where status = 'ACTIVE' for share`,
    [],
  );
  const isSame =
    serving.id === null ? active?.name === serving.model?.name : active?.id === serving.id;
  if (!isSame) throw new DomainError('CONFLICT', 'The embedding model has changed meanwhile');
  return serving.model === null ? null : Number(active?.id);
}

/** What the model has counted is used, whatever becomes of the document. */
async function embedChunks(
  context: Context,
  model: EmbeddingModel,
  document: Document,
  chunks: readonly Chunk[],
): Promise<readonly Float32Array[]> {
  const texts = chunks.map((chunk) => embeddedText(document.name, chunk));
  const options = { signal: context.signal, kind: 'document' } as const;
  const { vectors, tokens } = await model.embed(texts, options);
  await countEmbeddingTokens(context, document.projectId, tokens);
  return vectors;
}

async function markFailed(
  context: Context,
  { id, projectId, attempt }: Document,
  errorCode: string,
  errorMessage: string,
): Promise<void> {
  await transaction(context, async (context) => {
    const { count } = await context.db.document.updateMany({
      where: { id, projectId, attempt, status: 'PROCESSING' },
      data: { status: 'FAILED', errorCode, errorMessage, processedAt: new Date() },
    });
    if (count > 0) await publishDocumentEvent(context, { projectId, documentId: id });
  });
}
