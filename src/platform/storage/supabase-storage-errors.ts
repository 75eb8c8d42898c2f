import { StorageApiError } from '@supabase/supabase-js';
import { DomainError } from '../errors.ts';
import { unavailableMessage } from './document-storage.ts';

/**
 * Returns the HTTP status in the body of an error response, because Supabase sends most errors with status 400. Without
 * a valid status in the body, returns the status of the response. Returns null for any other error.
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

/**
 * Converts an error to a DomainError. The original error becomes the `cause` of the DomainError, so that it is logged.
 */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (findHttpStatus(error) === 413) {
    const message = 'The document is larger than the document storage accepts';
    return new DomainError('PAYLOAD_TOO_LARGE', message, { cause: error });
  }
  const cause = new StorageFailure(describeFailure(error), { cause: error });
  return new DomainError('UNAVAILABLE', unavailableMessage, { cause, retryable: true });
}

/**
 * Cause of a DomainError. The log shows only the name of a cause, so the name describes the failure. The name contains
 * the server's error code, but no other text of the server.
 */
class StorageFailure extends Error {
  constructor(description: string, options: ErrorOptions) {
    super(description, options);
    this.name = description;
  }
}

function describeFailure(error: unknown): string {
  const status = findHttpStatus(error);
  if (status === null) {
    return `Supabase Storage cannot be reached (${findErrorCode(error) ?? 'no response'}): check SUPABASE_URL`;
  }
  const reply = `Supabase Storage answered ${[status, findErrorCode(error)].filter(Boolean).join(' ')}`;
  return status === 401 || status === 403 || isMalformedKey(error)
    ? `${reply}: check that SUPABASE_SECRET_KEY is a secret key of this project`
    : reply;
}

/**
 * Whether Supabase Storage refused the key because it is not a JWT. It then responds with 400 if it is reached without
 * the gateway.
 */
function isMalformedKey(error: unknown): boolean {
  return findErrorCode(error) === 'InvalidJWT' || findErrorCode(error) === 'InvalidKey';
}

/** Returns the first code in the error and its causes. Ignores values that are free text and not a code. */
function findErrorCode(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 4) return undefined;
  const { code, originalError, cause } = error as Record<string, unknown>;
  if (typeof code === 'string' && /^[A-Za-z_0-9]{3,40}$/.test(code)) return code;
  return findErrorCode(originalError ?? cause, depth + 1);
}

/** Whether the error has this `code`. Older Supabase servers send no code, so for them the message is compared. */
function hasErrorCode(error: unknown, code: string, message: string): boolean {
  if (!(error instanceof StorageApiError)) return false;
  return error.code === undefined ? error.message === message : error.code === code;
}
