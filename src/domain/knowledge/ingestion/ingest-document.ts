import { createFairSlots } from '../../../platform/fair-slots.ts';
import { implementJob, type JobAttempt } from '../../../platform/jobs/job.ts';
import type { IngestionOutcome } from '../../../platform/metrics.ts';
import { type Adapters, type Context, createSystemContext } from '../../context.ts';
import { extractDocument } from './extract-document.ts';
import { removeHiddenChunks } from './hidden-chunks.ts';
import { ingestDocumentJobType } from './ingest-document-job-type.ts';
import type { Published } from './publish-attempt.ts';
import { requestVectorIndex } from './request-vector-index.ts';
import { runWhileCurrent } from './run-while-current.ts';
import { settleFailure, startOrPostpone, throwDuringOutage } from './settle-failure.ts';
import type { DocumentRef, IngestionAttempt } from './start-attempt.ts';
import { storeDocumentContents } from './store-document-contents.ts';

export const ingestDocumentJob = implementJob(
  ingestDocumentJobType,
  async (adapters: Adapters, payload, attempt) => {
    const startedAt = performance.now();
    const recordOutcome = (outcome: IngestionOutcome) =>
      adapters.metrics.recordIngestion(outcome, (performance.now() - startedAt) / 1_000);
    try {
      const outcome = await ingestDocument(adapters, payload, attempt);
      if (outcome !== null) recordOutcome(outcome === 'WAITING' ? 'RETRIED' : outcome);
    } catch (error) {
      recordOutcome('RETRIED');
      throw error;
    }
  },
);

/**
 * Ingests a document: extracts the text, splits it into chunks, embeds and stores the chunks, and publishes all of them
 * at once. On a permanent error, or on the last attempt, sets `FAILED` with the reason. Searches then still find the
 * chunks of an earlier version. While the embedding model is unavailable or the disk is full, the document waits, for
 * at most 24 hours.
 *
 * Safe to repeat and to run concurrently: only the attempt that started last stores its result. Returns null if the
 * document is deleted or already processed, or if a later attempt has started.
 *
 * @throws the original error when a retry may succeed.
 */
export async function ingestDocument(
  adapters: Adapters,
  ref: DocumentRef,
  { signal, isLast, requestId }: JobAttempt,
): Promise<'READY' | 'FAILED' | 'WAITING' | null> {
  const context = createSystemContext(adapters, signal, requestId);
  const started = await startOrPostpone(context, ref);
  if (started === 'WAITING') return started;
  if (started === null || started.hasHiddenChunks) await removeHiddenChunks(context, ref);
  if (started === null) return null;

  try {
    context.disk.requireSpace();
    await throwDuringOutage(context, started);
    const published = await runWhileCurrent(context, started, (context) =>
      readAndStore(context, started),
    );
    if (published === null) return null;
    if (published.hasHiddenChunks) await removeHiddenChunks(context, ref);
    await requestVectorIndex(context, ref.projectId, published);
    return 'READY';
  } catch (error) {
    signal.throwIfAborted();
    return await settleFailure(context, started, error, { isLast });
  }
}

/** Limits how many large documents this process ingests at the same time, because all their chunks are in memory. */
const largeDocumentSlots = createFairSlots(4);
const largeDocumentBytes = 1_000_000;

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
  return await storeDocumentContents(context, attempt, await extractDocument(context, attempt));
}
