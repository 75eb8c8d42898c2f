/** The file types the service reads. */
export type FileType = 'pdf' | 'docx' | 'csv' | 'markdown' | 'txt';

/**
 * What a file says. `text` is NFC, has `\n` line ends, and holds neither NUL nor lone surrogates.
 * `blocks` are in reading order, do not overlap, and together hold every word of `text`.
 */
export interface ExtractedText {
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** A stretch of `text`, `text.slice(start, end)`, that belongs together. */
export interface Block {
  readonly kind: 'heading' | 'paragraph' | 'list-item' | 'table-row' | 'code';
  /** UTF-16 offsets into `text`. */
  readonly start: number;
  readonly end: number;
  /** 1 to 6, for headings only. */
  readonly level?: number;
  /** 1-based, for PDF only. */
  readonly page?: number;
}

/** Why a file could not be read; the codes are those of a failed document. */
export type ExtractErrorCode =
  | 'UNSUPPORTED_FILE'
  | 'EMPTY_TEXT'
  | 'ENCRYPTED'
  | 'CORRUPT_FILE'
  | 'TOO_LARGE';

/** A file that cannot be read, whatever is tried again. `message` is safe to show. */
export class ExtractError extends Error {
  readonly code: ExtractErrorCode;

  constructor(code: ExtractErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'ExtractError';
    this.code = code;
  }
}
