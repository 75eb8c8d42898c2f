import { z } from 'zod';
import { deadLetterQueue, defineJob, type JobAttempt } from '../../../platform/jobs/job.ts';
import { type Adapters, type Context, createSystemContext, transaction } from '../../context.ts';
import { publishDocumentEvent } from '../publish-document-event.ts';
import { type FailureReason, internalError } from './failure-reason.ts';
import { removeHiddenChunks } from './hidden-chunks.ts';
import type { DocumentRef, IngestionAttempt } from './start-attempt.ts';

export const failDocumentJob = defineJob({
  name: 'fail-document',
  payload: z.object({ projectId: z.string(), documentId: z.string() }),
  queue: deadLetterQueue,
  concurrency: 1,
  run: failDocument,
});

/**
 * Sets a document to `FAILED` if its ingestion job died in all attempts. Otherwise the document would stay `PROCESSING`
 * forever.
 */
export async function failDocument(
  adapters: Adapters,
  { projectId, documentId }: DocumentRef,
  { signal, requestId }: JobAttempt,
): Promise<void> {
  const context = createSystemContext(adapters, signal, requestId);
  const document = await context.db.document.findFirst({ where: { id: documentId, projectId } });
  if (document !== null) await failAttempt(context, document, internalError);
}

/**
 * Sets a document to `FAILED` with the reason, and deletes the chunks that the attempt has stored. Does nothing if a
 * later attempt has started.
 */
export async function failAttempt(
  context: Context,
  { id, projectId, attempt }: Pick<IngestionAttempt, 'id' | 'projectId' | 'attempt'>,
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
  await removeHiddenChunks(context, { projectId, documentId: id });
}

const notWaiting = { waitingSince: null, waitingReason: null, loneFailures: 0 };
