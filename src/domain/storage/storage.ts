/**
 * Where the originals of documents are kept. A key is made of ids only, such as
 * `<projectId>/<documentId>`, never of anything a caller chose.
 * Every method throws `DomainError` `UNAVAILABLE` when the store cannot be reached.
 */
export interface DocumentStorage {
  /**
   * Stores the bytes of a local file under the key, replacing what was there; all of it or nothing. Throws
   * `PAYLOAD_TOO_LARGE` where the store takes no file of this size.
   */
  putFile(key: string, path: string, signal?: AbortSignal): Promise<void>;
  /**
   * A readable local copy, to be disposed of after use. Throws `NOT_FOUND` where there is none, and an error that is
   * no condition where what is kept has another size than what was stored.
   */
  localCopy(file: KeptFile, signal?: AbortSignal): Promise<LocalCopy>;
  /** Removes the keys; not more than `maxPage`. Safe to repeat. */
  remove(keys: readonly string[], signal?: AbortSignal): Promise<void>;
  /** All that is stored, in pages of at most `maxPage`. What is stored or removed meanwhile may be there or not. */
  list(signal?: AbortSignal): AsyncGenerator<readonly StoredFile[], void, undefined>;
  /** Makes sure that files can be stored. */
  check(): Promise<void>;
}

/** How many files one page holds, and one removal takes. */
export const maxPage = 500;

export interface KeptFile {
  readonly key: string;
  /** Of what was stored. */
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

/** What an adapter throws when its store cannot be reached. */
export const unavailableMessage = 'The document storage is not available';
