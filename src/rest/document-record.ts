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
   * `PROCESSING` until its chunks are indexed, then `READY` for answers and search. `FAILED` is
   * final until the document is retried.
   * @example "READY"
   */
  readonly status: 'PROCESSING' | 'READY' | 'FAILED';
  /**
   * `TEXT` for a document created from raw text, `FILE` for an upload.
   * @example "FILE"
   */
  readonly sourceType: 'TEXT' | 'FILE';
  /**
   * Media type, detected from the content, then from the file name. The client's own value is ignored.
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
   * Number of indexed chunks. 0 until the document is `READY`.
   * @isInt
   * @minimum 0
   * @example 34
   */
  readonly chunkCount: number;
  /**
   * Number of tokens in all chunks. 0 until the document is `READY`.
   * @isInt
   * @minimum 0
   * @example 7210
   */
  readonly tokenCount: number;
  /** Why the document is `FAILED`. Null for any other status. */
  readonly error: DocumentError | null;
  /**
   * Why a document that is `PROCESSING` waits: the embedding model is unavailable. The document is tried again by
   * itself for 24 hours. Null if it does not wait.
   * @example "The model server cannot be reached"
   */
  readonly waitingReason: string | null;
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

export const documentFields = `id projectId name status sourceType mimeType sizeBytes contentHash chunkCount
  tokenCount error { code message } waitingReason createdAt updatedAt processedAt`;
