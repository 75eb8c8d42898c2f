/**
 * A failed request. `code` is the service's error code, or one of two codes of the widget. `REFUSED`: this site may not
 * use the widget. `OFFLINE`: the service is unreachable.
 */
export class ApiError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Returns the error code of a failed request. Returns `OFFLINE` for errors that are not an `ApiError`. */
export function errorCodeOf(error: unknown): string {
  return error instanceof ApiError ? error.code : 'OFFLINE';
}

export function isRefused(error: unknown): boolean {
  return errorCodeOf(error) === 'REFUSED';
}

/** Returns whether the service rejects both the visitor's token and the signed id. */
export function isUnverified(error: unknown): boolean {
  return errorCodeOf(error) === 'UNAUTHENTICATED';
}
