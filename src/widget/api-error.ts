/**
 * A failed request. `code` is the service's error code, or one of two codes of the widget. `REFUSED`: this site may not
 * use the widget. `OFFLINE`: the service is unreachable.
 */
export class ApiError extends Error {
  readonly code: string;
  /** What the service says of each invalid field. Each message starts with the name of the field. */
  readonly messages: readonly string[];

  constructor(code: string, messages: readonly string[] = []) {
    super(code);
    this.code = code;
    this.messages = messages;
  }
}

/** Returns the error code of a failed request. Returns `OFFLINE` for errors that are not an `ApiError`. */
export function errorCodeOf(error: unknown): string {
  return error instanceof ApiError ? error.code : 'OFFLINE';
}

export function isRefused(error: unknown): boolean {
  return errorCodeOf(error) === 'REFUSED';
}

/** Returns the messages about a field that the service has refused. */
export function problemsOf(error: unknown, field: string): readonly string[] {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_FAILED') return [];
  return error.messages.filter((message) => message.startsWith(field));
}

/** Returns whether the service rejects both the visitor's token and the signed id. */
export function isUnverified(error: unknown): boolean {
  return errorCodeOf(error) === 'UNAUTHENTICATED';
}
