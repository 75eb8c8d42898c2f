import { StorageApiError } from '@supabase/supabase-js';
import { DomainError } from '../errors.ts';
import { unavailableMessage } from './storage.ts';

/** The status that is meant: the body's, because nearly every refusal comes with status 400. */
export function statusOf(error: unknown): number | null {
  if (!(error instanceof StorageApiError)) return null;
  const said = Number(error.statusCode);
  return said >= 400 && said < 600 ? said : error.status;
}

export function isBucketMissing(error: unknown): boolean {
  return statusOf(error) === 404 && says(error, 'NoSuchBucket', 'Bucket not found');
}

export function isObjectMissing(error: unknown): boolean {
  return statusOf(error) === 404 && !isBucketMissing(error);
}

/** Whether the same request may succeed a moment later. */
export function passes(error: unknown): boolean {
  const status = statusOf(error);
  return status === null ? !(error instanceof DomainError) : status >= 500 || retried.has(status);
}

/** Time-outs, locks and limits of the rate. */
const retried: ReadonlySet<number> = new Set([408, 423, 429]);

/** What the domain is told; the cause is for the log. */
export function asCondition(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (statusOf(error) === 413) {
    const message = 'The document is larger than the document storage takes';
    return new DomainError('PAYLOAD_TOO_LARGE', message, { cause: error });
  }
  return new DomainError('UNAVAILABLE', unavailableMessage, { cause: error, retryable: true });
}

/** Newer servers name the condition in `code`, older ones in the message alone. */
function says(error: unknown, code: string, message: string): boolean {
  if (!(error instanceof StorageApiError)) return false;
  return error.code === undefined ? error.message === message : error.code === code;
}
