/** A document of the project, as far as a sync needs it. */
export interface TargetDocument {
  readonly id: string;
  readonly externalId: string | null;
  readonly contentHash: string;
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
   * @throws DomainError when the project cannot take the file, or the call fails.
   */
  put(file: TargetFile): Promise<void>;
  /** Deletes at most 1,000 documents. */
  remove(ids: readonly string[]): Promise<void>;
}
