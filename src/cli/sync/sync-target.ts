import type { DocumentMetadata } from '../../domain/knowledge/document-details.ts';

/** The properties of a document that a sync needs. */
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
  /** Null: the document keeps its current metadata. */
  readonly metadata: DocumentMetadata | null;
}

/** The project that receives the files of a folder. */
export interface SyncTarget {
  /** Returns the documents whose external id starts with `prefix`. */
  list(prefix: string): Promise<TargetDocument[]>;
  /**
   * Creates the document, or replaces the document with the same external id.
   * @throws DomainError when the project cannot accept the file, or the call fails.
   */
  put(file: TargetFile): Promise<void>;
  /**
   * Returns the current metadata of a document.
   * @throws DomainError NOT_FOUND when the document was deleted in the meantime.
   */
  readMetadata(id: string): Promise<DocumentMetadata>;
  /**
   * Replaces the metadata of a document.
   * @throws DomainError NOT_FOUND when the document was deleted in the meantime, VALIDATION_FAILED when the metadata is
   * not valid for the document.
   */
  setMetadata(id: string, metadata: DocumentMetadata): Promise<void>;
  /** Deletes at most 1,000 documents. */
  remove(ids: readonly string[]): Promise<void>;
}
