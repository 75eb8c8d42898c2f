import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { ExtractError, type ExtractedText } from './extracted-text.ts';
import type { ExtractLimits } from './limits.ts';
import { groupLines } from './pdf-blocks.ts';
import { type PdfAnnotation, readFields } from './pdf-fields.ts';
import { dropFurniture } from './pdf-furniture.ts';
import type { Line } from './pdf-lines.ts';
import { linesInReadingOrder } from './pdf-order.ts';
import { repairPdf } from './pdf-repair.ts';
import { readRuns, type TextPiece } from './pdf-runs.ts';
import { styleOf } from './pdf-style.ts';
import { createTextBuilder } from './text-builder.ts';

/**
 * Reads a PDF page by page in reading order. Pages that are damaged are left out as long as others can
 * be read. Throws `ExtractError`: `ENCRYPTED` when opening needs a password, `EMPTY_TEXT` for scans.
 */
export async function readPdf(bytes: Uint8Array, limits: ExtractLimits): Promise<ExtractedText> {
  const { pdf, isRepaired } = await openPdf(bytes);
  try {
    if (pdf.numPages > limits.pages) {
      throw new ExtractError('TOO_LARGE', `The file has more than ${limits.pages} pages.`);
    }
    const pages: Page[] = [];
    for (let number = 1; number <= pdf.numPages; number += 1)
      pages.push(await readPage(pdf, number));
    return composeText(pages, isRepaired, limits);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

interface Page {
  readonly number: number;
  readonly lines: readonly Line[];
  /** Text that runs in another direction than most of the page. */
  readonly turned: readonly Line[];
  readonly fields: readonly string[];
  readonly isDamaged: boolean;
}

async function openPdf(bytes: Uint8Array): Promise<{ pdf: PDFDocumentProxy; isRepaired: boolean }> {
  const { PasswordException } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  try {
    return { pdf: await parsePdf(bytes), isRepaired: false };
  } catch (error) {
    if (error instanceof PasswordException) {
      throw new ExtractError('ENCRYPTED', 'The file needs a password.', { cause: error });
    }
    const repaired = repairPdf(bytes);
    const pdf = repaired === null ? null : await parsePdf(repaired).catch(() => null);
    if (pdf !== null) return { pdf, isRepaired: true };
    throw new ExtractError('CORRUPT_FILE', 'The file is damaged or no PDF.', { cause: error });
  }
}

async function parsePdf(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const home = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  const directory = (name: string) => join(home, name) + sep;
  return getDocument({
    // pdf.js takes the buffer over, and refuses Node's own kind of it.
    data: new Uint8Array(bytes),
    cMapUrl: directory('cmaps'),
    standardFontDataUrl: directory('standard_fonts'),
    useSystemFonts: false,
    disableFontFace: true,
    useWasm: false,
    verbosity: 0,
  }).promise;
}

async function readPage(pdf: PDFDocumentProxy, number: number): Promise<Page> {
  try {
    const page = await pdf.getPage(number);
    const content = await page.getTextContent({ disableNormalization: true });
    const pieces = content.items.filter((item): item is TextPiece & typeof item => 'str' in item);
    const [lines = [], ...turned] = readRuns(pieces).map(linesInReadingOrder);
    const annotations: PdfAnnotation[] = await page.getAnnotations();
    page.cleanup();
    const fields = readFields(annotations, lines);
    return { number, lines, turned: turned.flat(), fields, isDamaged: false };
  } catch {
    return { number, lines: [], turned: [], fields: [], isDamaged: true };
  }
}

function composeText(
  pages: readonly Page[],
  isRepaired: boolean,
  limits: ExtractLimits,
): ExtractedText {
  const isDamaged = isRepaired || pages.some((page) => page.isDamaged);
  if (isDamaged && !pages.some(({ lines, fields }) => lines.length + fields.length > 0)) {
    throw new ExtractError('CORRUPT_FILE', 'No page of the file can be read.');
  }
  const builder = createTextBuilder(limits.textCharacters);
  const bodies = dropFurniture(pages.map((page) => page.lines));
  const style = styleOf(bodies);
  pages.forEach(({ number, turned, fields }, index) => {
    for (const { kind, text, level } of groupLines(bodies[index] ?? [], style)) {
      builder.add(kind, text, level === undefined ? { page: number } : { level, page: number });
    }
    for (const { kind, text } of groupLines(turned, style)) {
      builder.add(kind === 'heading' ? 'paragraph' : kind, text, { page: number });
    }
    for (const field of fields) builder.add('paragraph', field, { page: number });
  });
  return builder.build();
}
