import { DomainError } from '../../../platform/errors.ts';
import type { Context } from '../../context.ts';
import { failOrphanedAnswers } from '../finalize-turn.ts';
import type { AnswerRef } from './running-answers.ts';

/** If a lease was not renewed for this many seconds, it expires. Processes renew leases every 10 seconds. */
export const answerLeaseSeconds = 40;

/** Returns the error that readers of an answer with an expired lease receive. */
export function leaseExpiredError(): DomainError {
  return new DomainError(
    'UNAVAILABLE',
    'The server that generated the answer stopped responding. Send the message again',
    {
      retryable: true,
    },
  );
}

/** Marks the answer as `FAILED` if its lease has expired. */
export function failIfLeaseExpired(
  context: Pick<Context, 'pool'>,
  { messageId }: AnswerRef,
): Promise<void> {
  return failOrphanedAnswers(context, { afterSeconds: answerLeaseSeconds, messageId });
}
