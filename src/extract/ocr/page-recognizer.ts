import type { ExtractLimits } from '../extract-limits.ts';
import { ExtractError } from '../extracted-text.ts';
import type { PdfLine } from '../pdf/pdf-lines.ts';
import { linesInReadingOrder } from '../pdf/pdf-reading-order.ts';
import type { ImageSize } from './image-size.ts';
import { type OcrEngine, startOcrEngine } from './ocr-engine.ts';
import { readOcrRuns } from './ocr-runs.ts';
import { maxOcrPages, type OcrMode, type OcrSettings } from './ocr-settings.ts';

/** A picture of a page, to be read by OCR. */
export interface PageImage {
  /** A file in PNG, JPEG, WebP, TIFF or PNM. */
  readonly bytes: Uint8Array;
  readonly size: ImageSize;
  /** Exif orientation, from 1 (upright) to 8. */
  readonly orientation?: number;
  /** Resolution of the picture. Null if unknown. */
  readonly dotsPerInch: number | null;
}

/** Reads the pages of one file by OCR. */
export interface PageRecognizer {
  readonly mode: OcrMode;
  /** Number of pages that OCR may still read. */
  readonly pagesLeft: number;
  /** Maximum number of pages of the file that OCR reads. */
  readonly maxPages: number;
  /**
   * Returns the lines of a page in reading order. Returns null if the page has no picture.
   * @param load returns the picture of the page. The time that `load` takes counts as time of OCR.
   * @throws ExtractError TOO_LARGE, CORRUPT_FILE, or UNSUPPORTED_FILE when OCR is not installed.
   */
  recognize(load: () => PageImage | null | Promise<PageImage | null>): Promise<PdfLine[] | null>;
}

const assumedDotsPerInch = 300;
/** Number of pixels of an A4 page at 300 dpi. Smaller images are enlarged, because Tesseract confuses small digits. */
export const usualPixels = 8_700_000;
/** How much an image is enlarged at most. */
export const maxScale = 2;

/**
 * Creates the recognizer for one file. The engine starts with the first page. It is not used for other files, because
 * its memory never shrinks.
 * @param onPage called with true before each page and with false after it.
 */
export function createPageRecognizer(
  { mode, languages, pages }: OcrSettings,
  limits: ExtractLimits,
  onPage: (isRunning: boolean) => void,
): PageRecognizer {
  let engine: OcrEngine | undefined;
  let pagesLeft = pages;
  const read = async ({ bytes, size, orientation, dotsPerInch }: PageImage) => {
    if (pagesLeft < 1) throw tooManyPages(pages);
    requireSize(size, limits);
    pagesLeft -= 1;
    engine ??= await startOcrEngine(languages);
    const table = engine.recognize(bytes, {
      ...(orientation !== undefined && { orientation }),
      ...(dotsPerInch === null ? { scale: scaleOf(size) } : { dotsPerInch }),
    });
    return linesInReadingOrder(readOcrRuns(table, 72 / (dotsPerInch ?? assumedDotsPerInch)));
  };
  return {
    mode,
    maxPages: pages,
    get pagesLeft() {
      return pagesLeft;
    },
    async recognize(load) {
      onPage(true);
      try {
        const image = await load();
        return image === null ? null : await read(image);
      } finally {
        onPage(false);
      }
    },
  };
}

function scaleOf({ width, height }: ImageSize): number {
  return Math.min(maxScale, Math.sqrt(usualPixels / (width * height)));
}

export function tooManyPages(pages: number): ExtractError {
  const advice =
    pages < maxOcrPages
      ? 'Split the file, or raise the limit in the settings of the project.'
      : 'Split the file.';
  return new ExtractError(
    'TOO_LARGE',
    `OCR reads at most ${pages} pages of a file in this project. ${advice}`,
  );
}

function requireSize({ width, height }: ImageSize, { imagePixels }: ExtractLimits): void {
  if (width * height <= imagePixels) return;
  throw new ExtractError(
    'TOO_LARGE',
    `The image has ${width} x ${height} pixels. OCR reads at most ${imagePixels / 1_000_000} million pixels.`,
  );
}
