import type { BlockKind } from '../text/block-spans.ts';

/**
 * Text and structure of a file. `text` is normalized to NFC with `\n` line ends. It contains no NUL and no lone
 * surrogates. `blocks` are in reading order, do not overlap, and together cover every word of `text`.
 */
export interface ExtractedText {
  readonly text: string;
  readonly blocks: readonly Block[];
  /** Parts of the file that are missing in `text`. Absent if no missing parts are known. */
  readonly warnings?: readonly ExtractWarning[];
}

/**
 * A part of a file that is missing in the extracted text. The document's `warnings` in the API have the same values.
 */
export interface ExtractWarning {
  readonly code: ExtractWarningCode;
  /** Names the missing part, the reason and what the user can do. Safe to show to users. */
  readonly message: string;
}

/**
 * Kinds of missing text: attached or embedded files; hidden slides, sheets, rows, columns and text; comments; pages
 * that are damaged or scans; parts to which the file refers but that it does not contain, or that are in an unknown
 * format; cells whose value is not stored; characters that cannot be decoded; running headers and footers of a PDF on
 * all pages but their first.
 */
export type ExtractWarningCode =
  | 'ATTACHED_FILES'
  | 'HIDDEN_PARTS'
  | 'COMMENTS'
  | 'UNREAD_PAGES'
  | 'UNREAD_PARTS'
  | 'MISSING_VALUES'
  | 'DAMAGED_TEXT'
  | 'RUNNING_HEADERS';

/** A part of the text, such as a paragraph or table row: `text.slice(start, end)`. */
export interface Block {
  readonly kind: BlockKind;
  /** Start offset in `text` in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** Heading level, 1 to 6. Present only for headings. */
  readonly level?: number;
  /** Whether the block is a further paragraph of the previous list item. */
  readonly isItemPart?: boolean;
  /** Number of the PDF or TIFF page or of the slide, from 1. Absent in other formats. */
  readonly page?: number;
}

/** Reasons why an extraction failed. The document's `error.code` in the API has the same values. */
export type ExtractErrorCode =
  | 'UNSUPPORTED_FILE'
  | 'EMPTY_TEXT'
  | 'ENCRYPTED'
  | 'CORRUPT_FILE'
  | 'TOO_LARGE';

/** A permanent failure: extracting the same file again would also fail. `message` is safe to show to users. */
export class ExtractError extends Error {
  readonly code: ExtractErrorCode;

  constructor(code: ExtractErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'ExtractError';
    this.code = code;
  }
}
