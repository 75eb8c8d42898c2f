import type { ErrorCode } from '../../platform/errors.ts';

/** A document of the project, as far as a sync needs it. */
export interface TargetDocument {
  readonly id: string;
  readonly externalId: string | null;
  readonly contentHash: string;
  readonly name: string;
  readonly sourceUrl: string | null;
  /** Why its content could not be read. Null unless it is `FAILED`. */
  readonly failure: string | null;
}

export interface TargetFile {
  readonly externalId: string;
  readonly name: string;
  readonly body: Buffer;
  readonly sourceUrl: string | null;
}

/** A project that a folder is sent to. */
export interface SyncTarget {
  /** Returns the documents whose external id starts with `prefix`. */
  list(prefix: string): Promise<TargetDocument[]>;
  /**
   * Creates the document, or replaces the one with the same external id.
   * @throws FileRefused when the project cannot take the file.
   */
  put(file: TargetFile): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
}

/** The project cannot take a file. The message says why. */
export class FileRefused extends Error {}

/** Error codes that are about a file and not about the call. */
export const refusalCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_FILE',
  'VALIDATION_FAILED',
  'CONFLICT',
]);
