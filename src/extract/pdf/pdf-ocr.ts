import type { PDFDocumentProxy } from 'pdfjs-dist';
import { ExtractError } from '../extracted-text.ts';
import type { PageRecognizer } from '../ocr/page-recognizer.ts';
import { lineText, type PdfLine } from './pdf-lines.ts';
import { readPageImage } from './pdf-page-image.ts';

/** Text of a page of a PDF. */
export interface PdfPage {
  readonly number: number;
  lines: readonly PdfLine[];
  /** Lines whose writing direction differs from that of most of the page. */
  rotated: readonly PdfLine[];
  readonly fields: readonly string[];
  /** Number of comments. */
  readonly comments: number;
  readonly isDamaged: boolean;
}

/** Share of a picture's words that the page already contains, above which the picture is a scan below its text. */
const repeatedShare = 0.7;

/** Limits the time of files whose pages have neither text nor pictures, such as drawings. */
const maxInspectedPages = 1_000;

/**
 * Adds what OCR reads: the text of pages without text, and with mode `ON` that of pictures on the other pages. Reads
 * only the first pages of a file that has both text and too many of these. Leaves out pages that OCR cannot read if the
 * file has other text. Returns the pages that OCR has not read although they are without text or it reads all pictures.
 * @throws ExtractError when all pages are scans: TOO_LARGE if they exceed the limit, EMPTY_TEXT if OCR is not installed,
 * CORRUPT_FILE if none is readable.
 */
export async function recognizePages(
  pdf: PDFDocumentProxy,
  pages: readonly PdfPage[],
  recognizer: PageRecognizer,
): Promise<readonly PdfPage[]> {
  const { mode } = recognizer;
  const found = pages.filter((page) => !page.isDamaged && (mode === 'ON' || !hasText(page)));
  if (mode === 'OFF') return found;
  const isScan = !pages.some(hasText);
  const unread: PdfPage[] = found.slice(maxInspectedPages);
  let damage: ExtractError | undefined;
  for (const [index, page] of found.slice(0, maxInspectedPages).entries()) {
    if (recognizer.pagesLeft === 0 && !isScan) return [...unread, ...found.slice(index)];
    try {
      addLines(page, await recognizer.recognize(() => loadPageImage(pdf, page)));
    } catch (error) {
      const isDamaged = error instanceof ExtractError && error.code === 'CORRUPT_FILE';
      if (!isDamaged && isScan) throw toScanError(error);
      // The other pages would fail as well: OCR is not installed, or its engine has aborted.
      if (!isDamaged) return [...unread, ...found.slice(index)];
      unread.push(page);
      damage ??= error;
    }
  }
  if (damage !== undefined && !pages.some(hasText)) throw damage;
  return unread;
}

/** Returns null if the page has no picture, or a damaged one. */
async function loadPageImage(pdf: PDFDocumentProxy, { number }: PdfPage) {
  const proxy = await pdf.getPage(number);
  const image = await readPageImage(proxy).catch(() => null);
  proxy.cleanup();
  return image;
}

function addLines(page: PdfPage, lines: readonly PdfLine[] | null): void {
  if (lines === null) return;
  if (!hasText(page)) page.lines = lines;
  else if (!repeats(page, lines)) page.rotated = [...page.rotated, ...lines];
}

function toScanError(error: unknown): unknown {
  if (!(error instanceof ExtractError) || error.code !== 'UNSUPPORTED_FILE') return error;
  const message = `The file contains no text. ${error.message}`;
  return new ExtractError('EMPTY_TEXT', message, { cause: error });
}

export function hasText({ lines, fields }: PdfPage): boolean {
  return lines.length + fields.length > 0;
}

function repeats(page: PdfPage, lines: readonly PdfLine[]): boolean {
  const known = new Set(page.lines.flatMap(wordsOf));
  const words = lines.flatMap(wordsOf);
  return words.filter((word) => known.has(word)).length >= words.length * repeatedShare;
}

function wordsOf(line: PdfLine): string[] {
  return (
    lineText(line)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? []
  );
}
