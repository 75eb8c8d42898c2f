import type { PdfRun } from '../pdf/pdf-run.ts';
import {
  baselineOf,
  heightOf,
  joinTableRows,
  median,
  type OcrLine,
  type OcrWord,
} from './ocr-rows.ts';

/**
 * Minimum confidence in a word, from 0 to 100. Words below it are usually lines or pictures that Tesseract read as
 * letters.
 */
const minWordConfidence = 30;
/**
 * Lines of the same font size differ in height because of their letters. Heights between these multiples of the usual
 * height count as the same font size.
 */
const sameSizeShares = { min: 0.55, max: 1.45 };

/**
 * Returns the recognized words as text runs in one font. So headings, rows and columns can be found in the same way as
 * in a PDF.
 * @param table Tesseract's table of tab-separated values.
 * @param pointsPerPixel scale of the coordinates.
 */
export function readOcrRuns(table: string, pointsPerPixel: number): PdfRun[] {
  const lines = joinTableRows(readLines(table));
  const usualHeight = median(lines.map(heightOf));
  return lines.flatMap((line) => {
    const size = fontSize(heightOf(line), usualHeight) * pointsPerPixel;
    const y = -baselineOf(line) * pointsPerPixel;
    return line.words.map(({ text, left, right }) => ({
      text,
      x0: left * pointsPerPixel,
      x1: right * pointsPerPixel,
      y,
      size,
      font: '',
      isRightToLeft: /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text),
    }));
  });
}

/** Columns of the table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
function readLines(table: string): OcrLine[] {
  const lines = new Map<string, { block: string; words: OcrWord[] }>();
  for (const row of table.split('\n')) {
    const [level, , block, paragraph, line, , ...values] = row.split('\t');
    const [left, top, width, height, confidence] = values.map(Number);
    const text = values[5]?.trim() ?? '';
    if (level !== '5' || text === '' || (confidence ?? 0) < minWordConfidence) continue;
    if (left === undefined || top === undefined || !width || !height) continue;
    const key = `${block} ${paragraph} ${line}`;
    const open = lines.get(key) ?? { block: block ?? '', words: [] };
    open.words.push({ text, left, top, right: left + width, bottom: top + height });
    lines.set(key, open);
  }
  return [...lines.values()].filter(hasText);
}

/** Whether the line contains a letter or digit. Lines without them are rules and specks. */
function hasText({ words }: OcrLine): boolean {
  return words.some(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

function fontSize(height: number, usualHeight: number): number {
  const share = height / usualHeight;
  return share > sameSizeShares.min && share < sameSizeShares.max ? usualHeight : height;
}
