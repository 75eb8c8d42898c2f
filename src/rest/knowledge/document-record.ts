export interface DocumentRecord {
  readonly id: string;
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
  /** `TEXT` for a document created from raw text, `FILE` for an upload. */
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
  /** Number of indexed chunks. 0 until the document is `READY` for the first time. */
  readonly chunkCount: number;
  /** Number of tokens in all chunks. 0 until the document is `READY` for the first time. */
  readonly tokenCount: number;
  /** Why the document is `FAILED`. Null for any other status. */
  readonly error: DocumentError | null;
  /**
   * Content of the file that the searched text does not contain, such as attachments of an email or hidden sheets.
   * Empty if nothing is known to be missing.
   */
  readonly warnings: DocumentWarning[];
  /** @example "The model server cannot be reached" */
  readonly waitingReason: string | null;
  /**
   * @minLength 1
   * @maxLength 255
   * @example "handbook/returns"
   */
  readonly externalId: string | null;
  /** @example {"region": "eu", "year": 2026} */
  readonly metadata: { [name: string]: string | number | boolean | string[] };
  /**
   * @maxLength 2048
   * @example "https://example.com/handbook/returns"
   */
  readonly sourceUrl: string | null;
  /**
   * @maxItems 20
   * @example ["hr", "policy"]
   */
  readonly tags: string[];
  /**
   * @isInt
   * @minimum 1
   * @example 1
   */
  readonly version: number;
  readonly sourceId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
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
  /** @example "The file is protected with a password" */
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
