import type { PDFDocumentProxy } from 'pdfjs-dist';
import { counted, countedWas } from '../../text/counted.ts';
import type { ExtractWarning } from '../extracted-text.ts';
import { commentsLeftOut, filesLeftOut, listNumbers, shorten } from '../warning-texts.ts';
import { hasText, type PdfPage } from './pdf-ocr.ts';
import type { RemovedText } from './pdf-running-headers.ts';

/** Maximum UTF-16 units of the list of removed texts. The API promises at most 1,000 for a message. */
const maxListLength = 800;

/**
 * Returns the warnings for content that is missing in the text of a PDF. `unread` are the pages that OCR has not read,
 * and `headers` the running headers and footers that were removed.
 */
export async function warningsOf(
  pdf: PDFDocumentProxy,
  pages: readonly PdfPage[],
  unread: readonly PdfPage[],
  headers: readonly RemovedText[],
): Promise<ExtractWarning[]> {
  const comments = pages.reduce((sum, page) => sum + page.comments, 0);
  const warnings: [ExtractWarning['code'], string | null][] = [
    ['UNREAD_PAGES', damagedPages(pages.filter(({ isDamaged }) => isDamaged))],
    ['UNREAD_PAGES', pagesWithoutText(unread.filter((page) => !hasText(page)))],
    ['UNREAD_PAGES', unreadPictures(unread.filter(hasText))],
    ['ATTACHED_FILES', await attachmentsLeftOut(pdf)],
    ['COMMENTS', commentsLeftOut(comments)],
    ['RUNNING_HEADERS', headersLeftOut(headers)],
  ];
  return warnings.flatMap(([code, message]) => (message === null ? [] : [{ code, message }]));
}

function damagedPages(pages: readonly PdfPage[]): string | null {
  if (pages.length === 0) return null;
  return `${countedWas(pages.length, 'damaged page')} left out: ${numbersOf(pages)}. Open the file in a PDF program, and save it again.`;
}

function pagesWithoutText(pages: readonly PdfPage[]): string | null {
  if (pages.length === 0) return null;
  return `OCR has not read ${counted(pages.length, 'page')} without text: ${numbersOf(pages)}. If these are scans, turn on OCR in the settings of the project or raise its limit of pages, or split the file.`;
}

function unreadPictures(pages: readonly PdfPage[]): string | null {
  if (pages.length === 0) return null;
  return `OCR has not read the pictures on ${counted(pages.length, 'page')}: ${numbersOf(pages)}. If they contain text, turn on OCR in the settings of the project or raise its limit of pages, or split the file.`;
}

async function attachmentsLeftOut(pdf: PDFDocumentProxy): Promise<string | null> {
  const attachments = await pdf.getAttachments().catch(() => null);
  const files = [...(attachments?.values() ?? [])];
  return filesLeftOut(
    'attached file',
    files.map(({ filename }) => filename),
  );
}

function numbersOf(pages: readonly PdfPage[]): string {
  return listNumbers(pages.map(({ number }) => number).sort((a, b) => a - b));
}

function headersLeftOut(headers: readonly RemovedText[]): string | null {
  if (headers.length === 0) return null;
  let list = '';
  let shown = 0;
  for (const { text, pages } of headers) {
    const entry = `${shown === 0 ? '' : '; '}${shorten(text)} (${pages.length === 1 ? 'page' : 'pages'} ${listNumbers(pages.map((page) => page + 1))})`;
    if (list.length + entry.length > maxListLength) break;
    list += entry;
    shown += 1;
  }
  const more = headers.length - shown;
  return `Running headers and footers were read on their first page only. Left out: ${list}${more > 0 ? ` and ${more} more` : ''}.`;
}
