import { type Context, transaction } from '../../context.ts';
import { enqueueIngestion } from './enqueue-ingestion.ts';
import type { IngestionAttempt } from './start-attempt.ts';

/** A document fails if the embedding model was unavailable, or the disk was full, for this time. */
const maxWaitMs = 24 * 3_600_000;
const minDelaySeconds = 30;
const maxDelaySeconds = 600;

/** A document fails after this many attempts that failed while the model embedded other documents. */
const maxLoneFailures = 5;

/**
 * Keeps a document `PROCESSING` while the embedding model is unavailable or the disk is full: stores the reason and
 * enqueues the next attempt. Waits as long again as the document has waited so far, between half a minute and ten
 * minutes, with 25 % jitter.
 *
 * Returns false without any change if the document has waited for 24 hours, or if `isLone`, because the model embedded
 * other documents since the attempt before, and this is the fifth such failure.
 */
export async function postponeIngestion(
  context: Context,
  document: IngestionAttempt,
  waitingReason: string,
  { isLone = false }: { readonly isLone?: boolean } = {},
): Promise<boolean> {
  const { id, projectId, attempt } = document;
  const now = new Date();
  const waitingSince = document.waitingSince ?? now;
  const waitedMs = now.getTime() - waitingSince.getTime();
  const loneFailures = document.loneFailures + (isLone ? 1 : 0);
  if (waitedMs >= maxWaitMs || loneFailures >= maxLoneFailures) return false;
  const seconds = Math.min(maxDelaySeconds, Math.max(minDelaySeconds, waitedMs / 1_000));
  const delaySeconds = Math.round(seconds * (0.75 + Math.random() / 2));
  const project = { id: projectId, organizationId: document.organizationId };
  await transaction(context, async ({ db, queue }) => {
    const { count } = await db.document.updateMany({
      where: { id, projectId, attempt, status: 'PROCESSING' },
      data: { waitingSince, waitingReason, loneFailures },
    });
    if (count > 0) await enqueueIngestion(db, queue, project, [id], { delaySeconds });
  });
  return true;
}
