import { DomainError } from '../errors.ts';

/** An answer whose process has given no sign of life for this long counts as dead. One is given every 20 seconds. */
export const forsakenAfterSeconds = 60;

/** What the readers of such an answer are told. */
export function forsakenAnswer(): DomainError {
  return new DomainError('UNAVAILABLE', 'The answer broke off: its server has not responded', {
    retryable: true,
  });
}
