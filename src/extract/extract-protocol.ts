import type { Chunk } from './chunk-text.ts';
import type { ExtractLimits } from './extract-limits.ts';
import type { ExtractErrorCode, FileType } from './extracted-text.ts';

/** Request to the child process that extracts the text of a file and splits it into chunks. */
export interface ExtractRequest {
  readonly path: string;
  readonly type: FileType;
  readonly limits: ExtractLimits;
}

/** Response of the child process. `unavailable`: the file could not be opened; a retry may succeed. */
export type ExtractResponse =
  | { readonly outcome: 'chunks'; readonly chunks: readonly Chunk[] }
  | { readonly outcome: 'unreadable'; readonly code: ExtractErrorCode; readonly message: string }
  | { readonly outcome: 'unavailable'; readonly message: string };
