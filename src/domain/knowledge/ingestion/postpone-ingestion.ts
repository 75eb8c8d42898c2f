import { type Context, transaction } from '../../context.ts';
import { enqueueIngestion } from './enqueue-ingestion.ts';
import type { IngestionAttempt } from './start-attempt.ts';

/** If the embedding model is unavailable or the disk is full for this time, the document fails. */
const maxWaitMs = 24 * 3_600_000;
const minDelaySeconds = 30;
const maxDelaySeconds = 600;

/** A document fails after this many failed attempts while the model could embed other documents. */
const maxLoneFailures = 5;

/**
 * Keeps a document `PROCESSING` while the embedding model is unavailable or the disk is full. Stores the reason and
 * enqueues the next attempt. The delay equals the time that the document has waited so far, but at least half a minute
 * and at most ten minutes, with 25 % jitter.
 *
 * Returns false and changes nothing if the document must fail: it has waited for 24 hours, or this is its fifth failure
 * with `isLone`. `isLone` means that the model has embedded other documents since the previous attempt.
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
