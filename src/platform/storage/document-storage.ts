/**
 * Stores uploaded files. A key contains only ids, such as `<projectId>/<documentId>`. It never contains text that a
 * caller chose.
 * @throws DomainError UNAVAILABLE from every method when the storage is unreachable.
 */
export interface DocumentStorage {
  /**
   * Stores content under the key atomically. Replaces the file if the key already has one.
   * @throws DomainError PAYLOAD_TOO_LARGE when the storage does not accept files of this size.
   */
  putFile(key: string, content: FileContent, signal?: AbortSignal): Promise<void>;
  /**
   * Returns a local copy of the stored file. The caller must dispose of the copy.
   * @throws DomainError NOT_FOUND when the file does not exist.
   * @throws Error when the size of the stored file differs from `sizeBytes`.
   */
  getLocalCopy(file: StoredFileRef, signal?: AbortSignal): Promise<LocalCopy>;
  /** Deletes the files of up to `maxPageSize` keys. Safe to repeat. */
  remove(keys: readonly string[], signal?: AbortSignal): Promise<void>;
  /**
   * Lists all files in pages of up to `maxPageSize` files. The listing may or may not include files that are added or
   * deleted while it runs.
   */
  list(signal?: AbortSignal): AsyncGenerator<readonly StoredFile[], void, undefined>;
  /** Throws if files cannot be stored. */
  check(): Promise<void>;
}

/** The path of a local file, or bytes in memory. */
export type FileContent = string | Uint8Array;

/** Maximum number of files per listed page and per removal. */
export const maxPageSize = 500;

export interface StoredFileRef {
  readonly key: string;
  /** Size of the file in bytes at upload. */
  readonly sizeBytes: number;
}

export interface StoredFile {
  readonly key: string;
  readonly storedAt: Date;
}

export interface LocalCopy {
  readonly path: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Message of the UNAVAILABLE error of every adapter. */
export const unavailableMessage = 'The document storage is not available';
