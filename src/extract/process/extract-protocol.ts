import type { GitObject, PackLimits } from '../../platform/git/pack-file.ts';
import type { Chunk } from '../chunks/chunk-text.ts';
import type { ExtractLimits } from '../extract-limits.ts';
import type { ExtractErrorCode, ExtractWarning, FileType } from '../extracted-text.ts';
import type { HtmlPage } from '../html/html-page.ts';
import type { Sitemap } from '../html/sitemap.ts';
import type { OcrSettings } from '../ocr/ocr-settings.ts';

/**
 * Request to the child process that extracts the text of a file and splits it into chunks. The bytes of the file follow
 * on stdin.
 */
export interface ExtractRequest {
  readonly sizeBytes: number;
  readonly type: ExtractType;
  /** Encoding of a page of a website, by HTTP. */
  readonly charset?: string;
  readonly limits: ExtractLimits;
  readonly ocr: OcrSettings;
  /** Limits for the type `pack`. */
  readonly packLimits?: PackLimits;
}

/** A file, whose chunks are returned; or a page or a sitemap of a website, or a pack of Git, which are returned as such. */
export type ExtractType = FileType | 'page' | 'sitemap' | 'pack';

/** The chunks of a file, and what its text lacks. */
export interface ExtractedChunks {
  readonly chunks: readonly Chunk[];
  readonly warnings: readonly ExtractWarning[];
}

/** Responses of the child process: `started` at once, `ocr` before and after OCR of a page, then the result. */
export type ExtractResponse =
  | { readonly outcome: 'started' }
  | { readonly outcome: 'ocr'; readonly isRunning: boolean }
  | ({ readonly outcome: 'chunks' } & ExtractedChunks)
  | { readonly outcome: 'page'; readonly page: HtmlPage }
  | { readonly outcome: 'sitemap'; readonly sitemap: Sitemap }
  | { readonly outcome: 'pack'; readonly objects: Map<string, GitObject> }
  | { readonly outcome: 'unreadable'; readonly code: ExtractErrorCode; readonly message: string };
