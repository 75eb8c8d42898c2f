import type { GitObject, PackLimits } from '../../platform/git/pack-file.ts';
import type { Chunk } from '../chunks/chunk-text.ts';
import type { ExtractLimits } from '../extract-limits.ts';
import type { ExtractErrorCode, ExtractWarning } from '../extracted-text.ts';
import type { FileType } from '../file-formats.ts';
import type { HtmlPage } from '../html/html-page.ts';
import type { Sitemap } from '../html/sitemap.ts';
import type { OcrSettings } from '../ocr/ocr-settings.ts';

/**
 * Request to the child process that extracts the text of a file and splits it into chunks. After the request, the
 * parent writes the bytes of the file to stdin.
 */
export interface ExtractRequest {
  readonly sizeBytes: number;
  readonly type: ExtractType;
  /** Encoding of a web page that the HTTP response declared. */
  readonly charset?: string;
  readonly limits: ExtractLimits;
  readonly ocr: OcrSettings;
  /** Limits for the type `pack`. */
  readonly packLimits?: PackLimits;
}

/**
 * Kind of input. For a file, the result is its chunks. A web page (`page`), a sitemap of a website and a Git pack are
 * returned in their own form.
 */
export type ExtractType = FileType | 'page' | 'sitemap' | 'pack';

/** The chunks of a file, and warnings about content that is missing in its text. */
export interface ExtractedChunks {
  readonly chunks: readonly Chunk[];
  readonly warnings: readonly ExtractWarning[];
}

/** Responses of the child process: `started` at once, `ocr` before and after OCR of each page, then the result. */
export type ExtractResponse =
  | { readonly outcome: 'started' }
  | { readonly outcome: 'ocr'; readonly isRunning: boolean }
  | ({ readonly outcome: 'chunks' } & ExtractedChunks)
  | { readonly outcome: 'page'; readonly page: HtmlPage }
  | { readonly outcome: 'sitemap'; readonly sitemap: Sitemap }
  | { readonly outcome: 'pack'; readonly objects: Map<string, GitObject> }
  | { readonly outcome: 'unreadable'; readonly code: ExtractErrorCode; readonly message: string };
