import { StorageApiError } from '@supabase/supabase-js';
import { DomainError } from '../errors.ts';
import { unavailableMessage } from './document-storage.ts';

/**
 * Returns the HTTP status in the error's response body if valid. The response's own status is no help, because Supabase
 * sends most errors with status 400.
 */
export function findHttpStatus(error: unknown): number | null {
  if (!(error instanceof StorageApiError)) return null;
  const bodyStatus = Number(error.statusCode);
  return bodyStatus >= 400 && bodyStatus < 600 ? bodyStatus : error.status;
}

export function isBucketMissing(error: unknown): boolean {
  return findHttpStatus(error) === 404 && hasErrorCode(error, 'NoSuchBucket', 'Bucket not found');
}

export function isObjectMissing(error: unknown): boolean {
  return findHttpStatus(error) === 404 && !isBucketMissing(error);
}

/** Whether a retry of the same request may succeed. */
export function isTransient(error: unknown): boolean {
  const status = findHttpStatus(error);
  return status === null
    ? !(error instanceof DomainError)
    : status >= 500 || retryableStatuses.has(status);
}

/** HTTP statuses that mean request timeout, locked and too many requests. */
const retryableStatuses: ReadonlySet<number> = new Set([408, 423, 429]);

/** Converts an error to a DomainError. The original error becomes its `cause`, so that it is logged. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (findHttpStatus(error) === 413) {
    const message = 'The document is larger than the document storage accepts';
    return new DomainError('PAYLOAD_TOO_LARGE', message, { cause: error });
  }
  return new DomainError('UNAVAILABLE', unavailableMessage, { cause: error, retryable: true });
}

/** Whether the error has this `code`. Older Supabase servers send no code; for these, compares the message. */
function hasErrorCode(error: unknown, code: string, message: string): boolean {
  if (!(error instanceof StorageApiError)) return false;
  return error.code === undefined ? error.message === message : error.code === code;
}
