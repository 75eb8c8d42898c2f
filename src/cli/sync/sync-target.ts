import type { DocumentMetadata } from '../../domain/knowledge/document-details.ts';

/** A document of the project, as far as a sync needs it. */
export interface TargetDocument {
  readonly id: string;
  readonly externalId: string | null;
  readonly contentHash: string;
  readonly sourceUrl: string | null;
  readonly metadata: DocumentMetadata;
  /** Why the service could not read the content. Null unless the document is `FAILED`. */
  readonly failure: string | null;
}

export interface TargetFile {
  readonly externalId: string;
  readonly name: string;
  readonly body: Buffer;
  readonly sourceUrl: string | null;
  /** Null keeps the present metadata of the document. */
  readonly metadata: DocumentMetadata | null;
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
  /**
   * Returns the present metadata of a document.
   * @throws DomainError NOT_FOUND when the document was deleted in the meantime.
   */
  readMetadata(id: string): Promise<DocumentMetadata>;
  /**
   * Replaces the metadata of a document.
   * @throws DomainError NOT_FOUND when the document was deleted in the meantime, VALIDATION_FAILED when it cannot take it.
   */
  setMetadata(id: string, metadata: DocumentMetadata): Promise<void>;
  /** Deletes at most 1,000 documents. */
  remove(ids: readonly string[]): Promise<void>;
}
