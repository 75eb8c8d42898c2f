import type { ExtractErrorCode, ExtractedText, FileType } from './extracted-text.ts';
import type { ExtractLimits } from './limits.ts';

/** What the service asks of the child process. */
export interface ExtractRequest {
  readonly path: string;
  readonly type: FileType;
  readonly limits: ExtractLimits;
}

/** `unavailable`: the file could not be opened, which says nothing about what it holds. */
export type ExtractResponse =
  | { readonly outcome: 'text'; readonly extracted: ExtractedText }
  | { readonly outcome: 'unreadable'; readonly code: ExtractErrorCode; readonly message: string }
  | { readonly outcome: 'unavailable'; readonly message: string };
