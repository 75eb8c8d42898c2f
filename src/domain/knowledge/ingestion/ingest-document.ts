import type { ExtractedChunks } from '../../../extract/extract-protocol.ts';
import { ExtractError } from '../../../extract/extracted-text.ts';
import { fileTypeFromMimeType } from '../../../extract/file-formats.ts';
import { isEmbeddingOutage, mayBeDueToTexts } from '../../../models/embedding-failure.ts';
import { diskFullError, isDiskFull } from '../../../platform/errors.ts';
import { createFairSlots } from '../../../platform/fair-slots.ts';
import type { JobAttempt } from '../../../platform/jobs/job-types.ts';
import { type Adapters, type Context, createSystemContext, transaction } from '../../context.ts';
import type { Document } from '../documents.ts';
import { publishDocumentEvent } from '../publish-document-event.ts';
import { documentKey } from '../storage-key.ts';
import {
  type FailureReason,
  internalError,
  lastReason,
  permanentReason,
} from './failure-reason.ts';
import { removeHiddenChunks } from './hidden-chunks.ts';
import { postponeIngestion } from './postpone-ingestion.ts';
import type { Published } from './publish-attempt.ts';
import { requestVectorIndex } from './request-vector-index.ts';
import { runWhileCurrent } from './run-while-current.ts';
import {
  type DocumentRef,
  findWaitingAttempt,
  type IngestionAttempt,
  startAttempt,
} from './start-attempt.ts';
import { storeDocumentContents } from './store-document-contents.ts';

const notWaiting = { waitingSince: null, waitingReason: null, loneFailures: 0 };

/** Large documents of this process that are ingested at the same time, because their chunks are in memory. */
const largeDocumentSlots = createFairSlots(4);
const largeDocumentBytes = 1_000_000;

/**
 * Ingests a document: extracts, chunks and embeds it, stores the chunks and publishes all of them at once. On a
 * permanent error, or on the last attempt, sets `FAILED` with the reason; searches still find the chunks of an earlier
 * version. While the embedding model is unavailable, the document waits, for at most 24 hours. It also waits while the
 * disk is full.
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
  const ref = { projectId, documentId };
  const started = await startOrPostpone(context, ref);
  if (started === 'WAITING') return started;
  if (started === null || started.hasHiddenChunks) await removeHiddenChunks(context, ref);
  if (started === null) return null;

  try {
    context.disk.requireSpace();
    if (started.waitingSince !== null) await throwDuringOutage(context);
    const published = await runWhileCurrent(context, started, (context) =>
      readAndStore(context, started),
    );
    if (published === null) return null;
    if (published.hasHiddenChunks) await removeHiddenChunks(context, ref);
    await requestVectorIndex(context, projectId, published);
    return 'READY';
  } catch (error) {
    signal.throwIfAborted();
    const outage = outageOf(error);
    if (outage !== null) {
      const isLone = await failedAlone(context, started, error);
      if (await postponeIngestion(context, started, outage, { isLone })) return 'WAITING';
    }
    const reason = permanentReason(error);
    if (reason === null && !isLast) throw error;
    if (!(error instanceof ExtractError)) {
      context.log.error({ err: error, documentId }, 'failed to ingest document');
    }
    await markFailed(context, started, reason ?? lastReason(error));
    await removeHiddenChunks(context, ref);
    return 'FAILED';
  }
}

/** Returns why the document must wait: the embedding model is unavailable, or the disk is full. */
function outageOf(error: unknown): string | null {
  if (isDiskFull(error)) return diskFullError().message;
  return isEmbeddingOutage(error) ? error.message : null;
}

/** Starts the next attempt. If the full disk prevents it, the document waits. */
async function startOrPostpone(
  context: Context,
  ref: DocumentRef,
): Promise<IngestionAttempt | 'WAITING' | null> {
  try {
    return await startAttempt(context, ref);
  } catch (error) {
    const waiting = isDiskFull(error) ? await findWaitingAttempt(context, ref) : null;
    if (waiting === null) throw error;
    if (await postponeIngestion(context, waiting, diskFullError().message)) return 'WAITING';
    throw error;
  }
}

/** During an outage, a document that waits is not extracted again. */
async function throwDuringOutage({ models }: Context): Promise<void> {
  const refusal = (await models.servingEmbedding()).model?.documents?.refusal();
  if (refusal != null) throw refusal;
}

/**
 * Whether the call of a waiting document failed, maybe because of its texts, and the model has embedded documents since
 * its attempt before.
 */
async function failedAlone(
  { models }: Context,
  { waitingSince, changedAt }: IngestionAttempt,
  error: unknown,
): Promise<boolean> {
  const documents = (await models.servingEmbedding()).model?.documents;
  const failure = documents?.latestFailure() ?? null;
  if (waitingSince === null || failure === null || failure !== error) return false;
  if (!mayBeDueToTexts(failure)) return false;
  const succeededAt = documents?.succeededAt() ?? null;
  return succeededAt !== null && succeededAt > changedAt.getTime();
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
  await removeHiddenChunks(context, { projectId, documentId });
}

/** Returns null if the document was deleted or a later attempt has started. */
async function readAndStore(
  context: Context,
  attempt: IngestionAttempt,
): Promise<Published | null> {
  const { organizationId, sizeBytes } = attempt;
  using _slot =
    sizeBytes < largeDocumentBytes
      ? null
      : await largeDocumentSlots.acquire(organizationId, context.signal);
  return await storeDocumentContents(context, attempt, await extract(context, attempt));
}

async function extract(
  { storage, extractor, signal }: Context,
  attempt: IngestionAttempt,
): Promise<ExtractedChunks> {
  const { organizationId, sizeBytes, mimeType, ocr } = attempt;
  const key = documentKey(attempt);
  await using copy = await storage.getLocalCopy({ key, sizeBytes }, signal);
  const type = fileTypeFromMimeType(mimeType);
  // `await` keeps the local copy until extraction has finished.
  return await extractor.extract({ path: copy.path, type, ocr }, { signal, group: organizationId });
}

async function markFailed(
  context: Context,
  { id, projectId, attempt }: Pick<Document, 'id' | 'projectId' | 'attempt'>,
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
