import { ExtractError } from '../../../extract/extracted-text.ts';
import { isEmbeddingOutage, mayBeDueToTexts } from '../../../models/embedding/embedding-failure.ts';
import { diskFullError, isDiskFull } from '../../../platform/errors.ts';
import type { Context } from '../../context.ts';
import { failAttempt } from './fail-document.ts';
import { lastReason, permanentReason } from './failure-reason.ts';
import { postponeIngestion } from './postpone-ingestion.ts';
import {
  type DocumentRef,
  findWaitingAttempt,
  type IngestionAttempt,
  startAttempt,
} from './start-attempt.ts';

/** Starts the next attempt. If this fails because the disk is full, postpones the ingestion. */
export async function startOrPostpone(
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

/**
 * Throws if the document is waiting and the embedding model is still unavailable, so that the document is not extracted
 * again in vain.
 */
export async function throwDuringOutage(
  { models }: Context,
  { waitingSince }: IngestionAttempt,
): Promise<void> {
  if (waitingSince === null) return;
  const refusal = (await models.servingEmbedding()).model?.documents?.refusal();
  if (refusal != null) throw refusal;
}

/**
 * Handles the error of a failed attempt. During an outage, the document waits. On a permanent error or on the last
 * attempt, the document fails.
 * @throws the error when a retry may succeed
 */
export async function settleFailure(
  context: Context,
  attempt: IngestionAttempt,
  error: unknown,
  { isLast }: { readonly isLast: boolean },
): Promise<'WAITING' | 'FAILED'> {
  const outage = outageOf(error);
  if (outage !== null) {
    const isLone = await failedAlone(context, attempt, error);
    if (await postponeIngestion(context, attempt, outage, { isLone })) return 'WAITING';
  }
  const reason = permanentReason(error);
  if (reason === null && !isLast) throw error;
  if (!(error instanceof ExtractError)) {
    context.log.error({ err: error, documentId: attempt.id }, 'failed to ingest document');
  }
  await failAttempt(context, attempt, reason ?? lastReason(error));
  return 'FAILED';
}

/**
 * Returns the outage that the document must wait for, or null: the embedding model is unavailable, or the disk is full.
 */
function outageOf(error: unknown): string | null {
  if (isDiskFull(error)) return diskFullError().message;
  return isEmbeddingOutage(error) ? error.message : null;
}

/**
 * Returns whether the call failed only for this waiting document, perhaps because of its texts. This is so if the model
 * has embedded other documents since the previous attempt.
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
