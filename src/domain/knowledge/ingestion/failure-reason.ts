import { ExtractError } from '../../../extract/extracted-text.ts';
import { isEmbeddingOutage, isRefusedInput } from '../../../models/embedding/embedding-failure.ts';
import { DomainError } from '../../../platform/errors.ts';

/** Values of `errorCode` and `errorMessage` of a failed document. */
export interface FailureReason {
  readonly code: string;
  readonly message: string;
}

export const internalError = { code: 'INTERNAL', message: 'The document could not be processed' };

/** Returns why a document failed permanently. Returns null if a retry may fix the error. */
export function permanentReason(error: unknown): FailureReason | null {
  if (error instanceof ExtractError) return error;
  const isFinal = isRefusedInput(error) || isEmbeddingOutage(error);
  return isFinal ? { code: 'EMBEDDING_ERROR', message: error.message } : null;
}

/** Returns the reason why a document failed if its last attempt threw this error. */
export function lastReason(error: unknown): FailureReason {
  const isModel = error instanceof DomainError && error.code === 'MODEL_ERROR';
  return isModel ? { code: 'EMBEDDING_ERROR', message: error.message } : internalError;
}
