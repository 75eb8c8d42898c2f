export interface DocumentRecord {
  /**
   * Id of the document.
   * @format uuid
   * @example "01980a3b-2c10-7b66-b0f4-7a8e9d0c1b2a"
   */
  readonly id: string;
  /**
   * Id of the project that the document belongs to.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly projectId: string;
  /**
   * Name from the create request, or the name of the uploaded file.
   * @minLength 1
   * @maxLength 255
   * @example "returns.pdf"
   */
  readonly name: string;
  /**
   * `PROCESSING` until the chunks are indexed, then `READY` for answers and search. `FAILED` is final until the
   * document is retried or replaced. Until the new chunks are indexed, answers and search use the chunks of an earlier
   * version.
   * @example "READY"
   */
  readonly status: 'PROCESSING' | 'READY' | 'FAILED';
  /**
   * `TEXT` for a document created from raw text, `FILE` for an upload.
   * @example "FILE"
   */
  readonly sourceType: 'TEXT' | 'FILE';
  /**
   * Media type. It is detected from the content, or else from the file name. The media type that the client sends is
   * ignored.
   * @maxLength 255
   * @example "application/pdf"
   */
  readonly mimeType: string;
  /**
   * Size of the original file or text, in bytes.
   * @isLong
   * @minimum 0
   * @example 48213
   */
  readonly sizeBytes: number;
  /**
   * SHA-256 of the original file or text, in hexadecimal.
   * @pattern ^[0-9a-f]{64}$
   * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
   */
  readonly contentHash: string;
  /**
   * Number of indexed chunks. 0 until the document is `READY` for the first time.
   * @isInt
   * @minimum 0
   * @example 34
   */
  readonly chunkCount: number;
  /**
   * Number of tokens in all chunks. 0 until the document is `READY` for the first time.
   * @isInt
   * @minimum 0
   * @example 7210
   */
  readonly tokenCount: number;
  /** Why the document is `FAILED`. Null for any other status. */
  readonly error: DocumentError | null;
  /**
   * Content of the file that the searched text does not contain, such as attachments of an email or hidden sheets.
   * Empty if nothing is known to be missing.
   */
  readonly warnings: DocumentWarning[];
  /**
   * Why a `PROCESSING` document waits: the embedding model is unavailable. The service tries again for 24 hours. Null
   * if the document does not wait.
   * @example "The model server cannot be reached"
   */
  readonly waitingReason: string | null;
  /**
   * Your own id for the document, unique in the project.
   * @minLength 1
   * @maxLength 255
   * @example "handbook/returns"
   */
  readonly externalId: string | null;
  /**
   * Your own values.
   * @example {"region": "eu", "year": 2026}
   */
  readonly metadata: { [name: string]: string | number | boolean | string[] };
  /**
   * Address at which people find the document.
   * @maxLength 2048
   * @example "https://example.com/handbook/returns"
   */
  readonly sourceUrl: string | null;
  /**
   * Labels.
   * @maxItems 20
   * @example ["hr", "policy"]
   */
  readonly tags: string[];
  /**
   * Version of the content, from 1. Each replacement adds 1.
   * @isInt
   * @minimum 1
   * @example 1
   */
  readonly version: number;
  /**
   * Id of the source that keeps the document up to date. Null if there is none.
   * @format uuid
   * @example "01980a3f-5b6c-7d8e-9f01-2a3b4c5d6e7f"
   */
  readonly sourceId: string | null;
  /**
   * Time of creation.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly createdAt: string;
  /**
   * Time of the last change of this record.
   * @format date-time
   * @example "2026-11-21T09:30:04.120Z"
   */
  readonly updatedAt: string;
  /**
   * Time when processing finished. Null while the document is processed.
   * @format date-time
   * @example "2026-11-21T09:30:04.120Z"
   */
  readonly processedAt: string | null;
}

/** A document that was created or replaced. */
export interface WrittenDocument extends DocumentRecord {
  /**
   * Id of the first other document of the project with the same content. Null if there is none.
   * @format uuid
   * @example "01980a3b-2c10-7b66-b0f4-7a8e9d0c1b2a"
   */
  readonly duplicateOf: string | null;
}

export interface DocumentContent {
  /**
   * The extracted text. `startOffset` and `endOffset` of citations and search results are positions in this text,
   * counted in Unicode code points. White space between two chunks is replaced by line breaks.
   * @example "Items can be returned within 30 days of delivery."
   */
  readonly text: string;
  /**
   * Version of the document that this text belongs to. While a replacement is processed, and after it has failed, this
   * is the earlier version.
   * @isInt
   * @minimum 1
   * @example 1
   */
  readonly version: number;
}

export interface DocumentCount {
  /**
   * Number of documents that were changed.
   * @isInt
   * @minimum 0
   * @maximum 1000
   * @example 3
   */
  readonly count: number;
}

export interface DocumentError {
  /**
   * Stable error code for programs. `EMBEDDING_ERROR` and `INTERNAL` may be temporary: retry the document. The other
   * codes are errors in the file.
   * @example "ENCRYPTED"
   */
  readonly code:
    | 'UNSUPPORTED_FILE'
    | 'EMPTY_TEXT'
    | 'ENCRYPTED'
    | 'CORRUPT_FILE'
    | 'TOO_LARGE'
    | 'EMBEDDING_ERROR'
    | 'INTERNAL';
  /**
   * Human-readable description of the error.
   * @example "The file is protected with a password"
   */
  readonly message: string;
}

export interface DocumentWarning {
  /**
   * Stable code for programs.
   * @example "ATTACHED_FILES"
   */
  readonly code:
    | 'ATTACHED_FILES'
    | 'HIDDEN_PARTS'
    | 'COMMENTS'
    | 'UNREAD_PAGES'
    | 'UNREAD_PARTS'
    | 'MISSING_VALUES'
    | 'DAMAGED_TEXT'
    | 'RUNNING_HEADERS';
  /**
   * What is missing and why.
   * @maxLength 1000
   * @example "2 attachments were left out: price-list.pdf, terms.docx. Upload them as documents of their own."
   */
  readonly message: string;
}

export const documentFields =
  `id projectId name status sourceType mimeType sizeBytes contentHash chunkCount
  tokenCount error { code message } warnings { code message } waitingReason externalId metadata sourceUrl tags
  version sourceId createdAt updatedAt processedAt` as const;

export const writtenDocumentFields = `${documentFields} outcome duplicateOf` as const;
