export interface DocumentRecord {
  /**
   * Identifies the document.
   * @format uuid
   * @example "01980a3b-2c10-7b66-b0f4-7a8e9d0c1b2a"
   */
  readonly id: string;
  /**
   * The project it belongs to.
   * @format uuid
   * @example "01980a3c-1f0b-7a54-8a7d-0c6d3f1b9e20"
   */
  readonly projectId: string;
  /**
   * The name it was created with, or that of the uploaded file.
   * @minLength 1
   * @maxLength 255
   * @example "returns.pdf"
   */
  readonly name: string;
  /**
   * `PROCESSING` until its chunks are indexed, then `READY`: used for answers and search. `FAILED` is
   * final until the document is retried.
   * @example "READY"
   */
  readonly status: 'PROCESSING' | 'READY' | 'FAILED';
  /**
   * `TEXT` was created from raw text, `FILE` was uploaded.
   * @example "FILE"
   */
  readonly sourceType: 'TEXT' | 'FILE';
  /**
   * The media type, told by the content, then by the file's name; never by what the client says it is.
   * @maxLength 255
   * @example "application/pdf"
   */
  readonly mimeType: string;
  /**
   * Size of the original, in bytes.
   * @isLong
   * @minimum 0
   * @example 48213
   */
  readonly sizeBytes: number;
  /**
   * SHA-256 of the original, in hexadecimal.
   * @pattern ^[0-9a-f]{64}$
   * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
   */
  readonly contentHash: string;
  /**
   * Pieces it is indexed in; 0 until it is `READY`.
   * @isInt
   * @minimum 0
   * @example 34
   */
  readonly chunkCount: number;
  /**
   * Tokens of all its chunks together; 0 until it is `READY`.
   * @isInt
   * @minimum 0
   * @example 7210
   */
  readonly tokenCount: number;
  /** Why a `FAILED` document failed, otherwise null. */
  readonly error: DocumentError | null;
  /**
   * When it was created.
   * @format date-time
   * @example "2026-11-21T09:30:00.000Z"
   */
  readonly createdAt: string;
  /**
   * When anything of this record last changed.
   * @format date-time
   * @example "2026-11-21T09:30:04.120Z"
   */
  readonly updatedAt: string;
  /**
   * When processing ended, or null.
   * @format date-time
   * @example "2026-11-21T09:30:04.120Z"
   */
  readonly processedAt: string | null;
}

export interface DocumentError {
  /**
   * What programs branch on. `EMBEDDING_ERROR` and `INTERNAL` may pass: retry the document. The others lie in
   * the file.
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
   * What is wrong, for people.
   * @example "The file is protected with a password"
   */
  readonly message: string;
}

export const documentFields = `id projectId name status sourceType mimeType sizeBytes contentHash chunkCount
  tokenCount error { code message } createdAt updatedAt processedAt`;
