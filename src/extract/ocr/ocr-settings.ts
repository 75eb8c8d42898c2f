/**
 * What OCR reads. `AUTO`: images, and pages of PDFs that contain no text. `ON`: also pictures on pages with text. `OFF`:
 * nothing.
 */
export type OcrMode = 'OFF' | 'ON' | 'AUTO';

export interface OcrSettings {
  readonly mode: OcrMode;
  /** Tesseract's names of languages, such as `eng`. The first is the most likely one. */
  readonly languages: readonly string[];
  /** Maximum number of pages of a file that OCR reads. */
  readonly pages: number;
}

/** Maximum of `pages`. */
export const maxOcrPages = 200;

export const defaultOcrSettings: OcrSettings = { mode: 'AUTO', languages: ['eng'], pages: 50 };
