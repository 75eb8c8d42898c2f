import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { ExtractLimits } from '../extract-limits.ts';
import { ExtractError, type ExtractedText } from '../extracted-text.ts';
import type { OcrMode } from '../ocr/ocr-settings.ts';
import type { PageRecognizer } from '../ocr/page-recognizer.ts';
import { createTextBuilder } from '../text-builder.ts';
import { joinPages } from './join-pages.ts';
import { groupLinesIntoBlocks } from './pdf-blocks.ts';
import { countComments, type PdfAnnotation, readFormFields } from './pdf-form-fields.ts';
import type { PdfLine } from './pdf-lines.ts';
import { addLinkAddresses } from './pdf-links.ts';
import { hasText, type PdfPage, recognizePages } from './pdf-ocr.ts';
import { linesInReadingOrder } from './pdf-reading-order.ts';
import { repairPdf } from './pdf-repair.ts';
import { removeRunningHeaders } from './pdf-running-headers.ts';
import { detectStyle } from './pdf-style.ts';
import { type PdfTextItem, readRuns } from './pdf-text-runs.ts';
import { warningsOf } from './pdf-warnings.ts';

/**
 * Extracts the text of a PDF page by page, in reading order. OCR reads pages without text, and scans with little text.
 * Skips damaged pages if at least one other page is readable. Adds warnings for damaged pages, pages that OCR does not
 * read, attached files, comments, and running headers that were removed.
 * @throws ExtractError ENCRYPTED when the file requires a password, EMPTY_TEXT when it contains no text, CORRUPT_FILE
 * when no page is readable, TOO_LARGE when it exceeds a limit.
 */
export async function readPdf(
  bytes: Uint8Array,
  limits: ExtractLimits,
  recognizer: PageRecognizer,
): Promise<ExtractedText> {
  const { pdf, isRepaired } = await openPdf(bytes, limits);
  try {
    if (pdf.numPages > limits.pages) {
      throw new ExtractError('TOO_LARGE', `The file has more than ${limits.pages} pages.`);
    }
    const pages: PdfPage[] = [];
    for (let number = 1; number <= pdf.numPages; number += 1)
      pages.push(await readPage(pdf, number));
    const unread = await recognizePages(pdf, pages, recognizer);
    const isDamaged = isRepaired || pages.some((page) => page.isDamaged);
    if (isDamaged && !pages.some(hasText)) {
      throw new ExtractError('CORRUPT_FILE', 'The file is damaged: no page is readable.');
    }
    const headers = removeRunningHeaders(pages.map((page) => page.lines));
    const text = composeText(pages, headers.pages, limits, recognizer);
    return { ...text, warnings: await warningsOf(pdf, pages, unread, headers.removed) };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function openPdf(
  bytes: Uint8Array,
  limits: ExtractLimits,
): Promise<{ pdf: PDFDocumentProxy; isRepaired: boolean }> {
  const { PasswordException } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  try {
    return { pdf: await parsePdf(bytes, limits), isRepaired: false };
  } catch (error) {
    if (error instanceof PasswordException) {
      throw new ExtractError('ENCRYPTED', 'The file is password-protected.', { cause: error });
    }
    const repaired = repairPdf(bytes);
    const pdf = repaired === null ? null : await parsePdf(repaired, limits).catch(() => null);
    if (pdf !== null) return { pdf, isRepaired: true };
    throw new ExtractError('CORRUPT_FILE', damageOf(bytes), { cause: error });
  }
}

/**
 * Returns the error message for a file that cannot be parsed. The version of a PDF is searched near the start and not
 * only at it, because other programs may have added bytes before it.
 */
function damageOf(bytes: Uint8Array): string {
  const isPdf = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1').includes('%PDF-');
  return isPdf
    ? 'The file is damaged or incomplete. Open it in a PDF program, and save it again.'
    : 'The file is no PDF, although its name says so. Upload it with the extension of its format.';
}

async function parsePdf(
  bytes: Uint8Array,
  { imagePixels }: ExtractLimits,
): Promise<PDFDocumentProxy> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const packageDirectory = dirname(
    createRequire(import.meta.url).resolve('pdfjs-dist/package.json'),
  );
  const directory = (name: string) => join(packageDirectory, name) + sep;
  return getDocument({
    // pdf.js takes ownership of the buffer and does not accept a Node.js Buffer, so it gets a copy.
    data: new Uint8Array(bytes),
    cMapUrl: directory('cmaps'),
    standardFontDataUrl: directory('standard_fonts'),
    useSystemFonts: false,
    disableFontFace: true,
    useWasm: false,
    wasmUrl: directory('wasm'),
    maxImageSize: imagePixels,
    verbosity: 0,
  }).promise;
}

async function readPage(pdf: PDFDocumentProxy, number: number): Promise<PdfPage> {
  try {
    const page = await pdf.getPage(number);
    const content = await page.getTextContent({ disableNormalization: true });
    const textItems = content.items.filter(
      (item): item is PdfTextItem & typeof item => 'str' in item,
    );
    const [lines = [], ...rotated] = readRuns(textItems).map(linesInReadingOrder);
    const annotations: PdfAnnotation[] = await page.getAnnotations();
    page.cleanup();
    const fields = readFormFields(annotations, lines);
    const linked = addLinkAddresses(lines, annotations);
    const comments = countComments(annotations);
    const { height } = page.getViewport({ scale: 1 });
    const read = { lines: linked, rotated: rotated.flat(), fields, comments };
    return { number, height, ...read, isDamaged: false };
  } catch {
    return { number, height: 0, lines: [], rotated: [], fields: [], comments: 0, isDamaged: true };
  }
}

const recognizedNone = 'The file contains no text, and OCR found none.';
const emptyMessages: Readonly<Record<OcrMode, string>> = {
  OFF: 'The file contains no text. Turn on OCR in the settings of the project if its pages are scans.',
  AUTO: recognizedNone,
  ON: recognizedNone,
};

function composeText(
  pages: readonly PdfPage[],
  linesByPage: readonly (readonly PdfLine[])[],
  limits: ExtractLimits,
  { mode }: PageRecognizer,
): ExtractedText {
  const builder = createTextBuilder(limits.textCharacters, emptyMessages[mode]);
  const style = detectStyle(linesByPage);
  const blocks = joinPages(
    linesByPage.map((lines) => groupLinesIntoBlocks(lines, style)),
    style,
  );
  pages.forEach(({ number, rotated, fields }, index) => {
    for (const { kind, text, level } of blocks[index] ?? []) {
      builder.add(kind, text, level === undefined ? { page: number } : { level, page: number });
    }
    for (const { kind, text } of groupLinesIntoBlocks(rotated, style)) {
      builder.add(kind === 'heading' ? 'paragraph' : kind, text, { page: number });
    }
    for (const field of fields) builder.add('paragraph', field, { page: number });
  });
  return builder.build();
}
