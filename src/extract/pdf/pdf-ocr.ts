import type { PDFDocumentProxy } from 'pdfjs-dist';
import { ExtractError } from '../extracted-text.ts';
import type { PageRecognizer } from '../ocr/page-recognizer.ts';
import { lineText, type PdfLine } from './pdf-lines.ts';
import { readPageImage, readScannedShare } from './pdf-page-image.ts';

/** Extracted content of one page of a PDF. */
export interface PdfPage {
  readonly number: number;
  /** Height of the page, in points. */
  readonly height: number;
  lines: readonly PdfLine[];
  /** Lines whose writing direction differs from that of most text on the page. */
  rotated: readonly PdfLine[];
  readonly fields: readonly string[];
  /** Number of comments by readers. */
  readonly comments: number;
  readonly isDamaged: boolean;
}

/**
 * If the page already contains more than this share of the words in a picture, the picture is a scan of the page's
 * text.
 */
const repeatedShare = 0.7;
/** The same share for numbers. OCR misreads a few. A price list of another year has the same words with other numbers. */
const repeatedNumberShare = 0.9;

/** Pictures of paper that cover at least this share of a page are a scan if the text covers little of the page. */
const scanShare = 0.2;
/**
 * Maximum share of the height of a page that its lines cover if they are the page number, header or stamp of a scan. An
 * invisible layer of text, which a scanner has added, covers more.
 */
const littleTextShare = 0.1;

/**
 * Maximum number of pages that are inspected. Limits the time for files whose pages have neither text nor pictures,
 * such as drawings.
 */
const maxInspectedPages = 1_000;

/**
 * Adds the text that OCR reads: the text of pages without text, of scans with only a few lines of text, and with mode
 * `ON` also the text of pictures on other pages. If a file has text and too many of these pages, only the first of them are read. If a file has other text,
 * pages that OCR cannot read are skipped. Returns those of these pages that OCR has not read.
 * @throws ExtractError when all pages are scans: TOO_LARGE if they exceed the limit, EMPTY_TEXT if OCR is not
 * installed, CORRUPT_FILE if no page is readable.
 */
export async function recognizePages(
  pdf: PDFDocumentProxy,
  pages: readonly PdfPage[],
  recognizer: PageRecognizer,
): Promise<readonly PdfPage[]> {
  const { mode } = recognizer;
  const scans = await findScansWithText(pdf, pages);
  const found = pages.filter(
    (page) => !page.isDamaged && (mode === 'ON' || !hasText(page) || scans.has(page)),
  );
  if (mode === 'OFF') return found;
  const isScan = !pages.some(hasText);
  const unread: PdfPage[] = found.slice(maxInspectedPages);
  let damage: ExtractError | undefined;
  for (const [index, page] of found.slice(0, maxInspectedPages).entries()) {
    if (recognizer.pagesLeft === 0 && !isScan) return [...unread, ...found.slice(index)];
    try {
      const lines = await recognizer.recognize(() => loadPageImage(pdf, page));
      if (lines !== null && scans.has(page)) page.lines = placeAround(page, lines);
      else addLines(page, lines);
    } catch (error) {
      const isDamaged = error instanceof ExtractError && error.code === 'CORRUPT_FILE';
      if (!isDamaged && isScan) throw toScanError(error);
      // Stops, because the other pages would fail as well: OCR is not installed, or its engine has aborted.
      if (!isDamaged) return [...unread, ...found.slice(index)];
      unread.push(page);
      damage ??= error;
    }
  }
  if (damage !== undefined && !pages.some(hasText)) throw damage;
  return unread;
}

/** Returns the pages that are scans, although they have a few lines of text. */
async function findScansWithText(
  pdf: PDFDocumentProxy,
  pages: readonly PdfPage[],
): Promise<ReadonlySet<PdfPage>> {
  const scans = new Set<PdfPage>();
  const candidates = pages.filter((page) => hasText(page) && hasLittleText(page));
  for (const page of candidates.slice(0, maxInspectedPages)) {
    const proxy = await pdf.getPage(page.number);
    const share = await readScannedShare(proxy).catch(() => 0);
    proxy.cleanup();
    if (share >= scanShare) scans.add(page);
  }
  return scans;
}

function hasLittleText({ lines, rotated, fields, height }: PdfPage): boolean {
  const covered = [...lines, ...rotated].reduce((sum, { size }) => sum + size, 0);
  return fields.length === 0 && covered <= height * littleTextShare;
}

/**
 * Returns the lines of a scan, and the text of the page above and below them: a line within them could be a stamp in the
 * middle of a sentence. The heights of recognized lines are 0 at the top of the page.
 */
function placeAround(page: PdfPage, recognized: readonly PdfLine[]): readonly PdfLine[] {
  const known = new Set(recognized.map(lineText));
  const top = Math.max(...recognized.map(({ y }) => y));
  const others = page.lines
    .filter((line) => !known.has(lineText(line)))
    .map((line) => ({ ...line, y: line.y - page.height }));
  const above = others.filter(({ y }) => y > top);
  return [...above, ...recognized, ...others.filter((line) => !above.includes(line))];
}

/** Returns the picture of a page. Returns null if the page has no picture. */
async function loadPageImage(pdf: PDFDocumentProxy, { number }: PdfPage) {
  const proxy = await pdf.getPage(number);
  try {
    return await readPageImage(proxy);
  } catch (error) {
    if (error instanceof ExtractError) throw error;
    return null;
  } finally {
    proxy.cleanup();
  }
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
  return (
    isKnown(/[\p{L}\p{N}]{3,}/gu, repeatedShare) &&
    isKnown(/\d+(?:[.,:]\d+)*/g, repeatedNumberShare)
  );

  function isKnown(pattern: RegExp, share: number): boolean {
    const known = new Set(page.lines.flatMap((line) => matchesOf(line, pattern)));
    const found = lines.flatMap((line) => matchesOf(line, pattern));
    return found.filter((match) => known.has(match)).length >= found.length * share;
  }
}

function matchesOf(line: PdfLine, pattern: RegExp): string[] {
  return lineText(line).toLowerCase().match(pattern) ?? [];
}
