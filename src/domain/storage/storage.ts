/**
 * Where the originals of documents are kept. A key is made of ids only, such as
 * `<projectId>/<documentId>`, never of anything a caller chose.
 * Every method throws `DomainError` `UNAVAILABLE` when the store cannot be reached.
 */
export interface DocumentStorage {
  /** Stores the bytes of a local file under the key, replacing what was there; all of it or nothing. */
  putFile(key: string, path: string, signal?: AbortSignal): Promise<void>;
  /** A readable local copy, to be disposed of after use. Throws `NOT_FOUND` where there is none. */
  localCopy(key: string, signal?: AbortSignal): Promise<LocalCopy>;
  /** Removes the key. Safe to repeat. */
  remove(key: string): Promise<void>;
  /** Makes sure that files can be stored. */
  check(): Promise<void>;
}

export interface LocalCopy {
  readonly path: string;
  [Symbol.asyncDispose](): Promise<void>;
}
