/**
 * Selects what OCR reads. `AUTO`: images, and PDF pages without text. `ON`: also pictures on PDF pages with text.
 * `OFF`: nothing.
 */
export type OcrMode = 'OFF' | 'ON' | 'AUTO';

export interface OcrSettings {
  readonly mode: OcrMode;
  /** Languages by their names in Tesseract, such as `eng`. The most likely language comes first. */
  readonly languages: readonly string[];
  /** Maximum number of pages of a file that OCR reads. */
  readonly pages: number;
}

/** Highest value that `pages` may have. */
export const maxOcrPages = 200;

export const defaultOcrSettings: OcrSettings = { mode: 'AUTO', languages: ['eng'], pages: 50 };
