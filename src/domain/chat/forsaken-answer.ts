import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { closeStaleAnswers } from './close-turn.ts';
import type { AnswerPlace } from './running-answers.ts';

/** An answer whose process has given no sign of life for this long counts as dead. One is given every 20 seconds. */
export const forsakenAfterSeconds = 60;

/** What the readers of such an answer are told. */
export function forsakenAnswer(): DomainError {
  return new DomainError('UNAVAILABLE', 'The answer broke off: its server has not responded', {
    retryable: true,
  });
}

/** Ends an answer as failed if its process counts as dead. */
export function closeForsaken(
  context: Pick<Context, 'pool'>,
  { messageId }: AnswerPlace,
): Promise<void> {
  return closeStaleAnswers(context, { afterSeconds: forsakenAfterSeconds, messageId });
}
