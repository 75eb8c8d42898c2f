import { separateSectionNumber } from '../../text/section-numbers.ts';
import type { Block } from '../extracted-text.ts';
import { joinLines } from './join-lines.ts';
import { detectWideSpacing, type WideSpacing } from './pdf-line-spacing.ts';
import { lineText, linkedLineText, type PdfLine } from './pdf-lines.ts';
import {
  groupCellsIntoRows,
  isTableRow,
  joinWrappedCells,
  type PdfRow,
  rowText,
} from './pdf-rows.ts';
import { listItemStart, type PdfStyle, removeDotLeaders } from './pdf-style.ts';
import { splitHeaders } from './split-header.ts';

/** Text and kind of one block of a page. */
export interface PdfBlock {
  readonly kind: Block['kind'];
  readonly text: string;
  readonly level?: number;
  /** Font size of its first line, in points. */
  readonly size: number;
}

const maxHeadingLength = 160;

/** Groups the lines of a page into headings, paragraphs, list items and table rows. Lines must be in reading order. */
export function groupLinesIntoBlocks(read: readonly PdfLine[], style: PdfStyle): PdfBlock[] {
  const groups: PdfLine[][] = [];
  const lines = splitHeaders(read);
  const spacing = detectWideSpacing(lines);
  lines.forEach((line, index) => {
    const open = groups.at(-1);
    const isRow = isTableRow(line, lines[index - 1], lines[index + 1]);
    const joins = open !== undefined && !isRow && continuesBlock(open, line, style, spacing);
    if (joins) open.push(line);
    else groups.push([line]);
  });
  return joinWrappedCells(groupCellsIntoRows(groups)).map((row) => toBlock(row, style));
}

function continuesBlock(
  open: readonly PdfLine[],
  line: PdfLine,
  style: PdfStyle,
  spacing: WideSpacing | null,
): boolean {
  const previous = open.at(-1);
  if (previous === undefined || isTableRow(previous, undefined, undefined)) return false;
  const text = lineText(line);
  const before = lineText(previous);
  if (/(?<![\s.])(?:\s*\.){4,}\s*[\divxlc]*$/i.test(before)) return false;
  if (Math.abs(previous.size - line.size) > Math.max(previous.size, line.size) * 0.12) return false;
  if (listItemStart.test(text) || isNumberedTitle(before)) return false;
  if (isNumberedTitle(text) && /[.!?。]["”’)\]]*$/.test(before)) return false;
  if (isTitleFont(previous, style) !== isTitleFont(line, style)) {
    const isTitle = open.every((other) => isTitleFont(other, style)) && looksLikeTitle(before);
    if (isTitle || looksLikeTitle(text)) return false;
  }
  const leading = previous.y - line.y;
  const isFlowing = !/[.!?:;。！？]["”’)\]]*$/.test(before) && /^[\p{Ll}\p{N}(]/u.test(text);
  if (leading < -line.size) return isFlowing && isWide(previous) && isWide(line);
  const maxLeading = Math.max(line.size * 2.2, (spacing?.leading ?? 0) * 1.25);
  if (leading > maxLeading || leading < line.size * 0.3) return false;
  const usual = usualLeading(open) ?? spacing?.leading ?? line.size * 1.5;
  if (leading > usual * 1.25) return false;
  const isFull = isWide(previous) && previous.x1 >= (spacing?.fullLineEnd ?? 0);
  if (spacing !== null && !isFull && !isFlowing) return false;
  const overlaps = line.x0 < previous.x1 && line.x1 > previous.x0;
  if (!overlaps) return false;
  const right = Math.max(...open.map((other) => other.x1));
  const left = Math.min(...open.map((other) => other.x0));
  const isShort = previous.x1 < right - (right - left) * 0.25 && right - left > line.size * 15;
  const isIndented =
    open.length > 1 && line.x0 > left + line.size && previous.x0 < left + line.size;
  return isFlowing || !(isShort || isIndented);
}

/** Whether the line is wider than 15 times its font size. Such a line is running text and not a table cell. */
function isWide(line: PdfLine): boolean {
  return line.x1 - line.x0 > line.size * 15;
}

function isTitleFont(line: PdfLine, style: PdfStyle): boolean {
  return style.titleFonts.has(line.font);
}

function looksLikeTitle(text: string): boolean {
  return text.length <= 100 && /^[\p{Lu}\p{Lo}\p{N}]/u.test(text) && !/[.,;:]$/.test(text);
}

/** Whether the line is a title with a section number, such as "3.2 Ice". Some documents print titles like their text. */
function isNumberedTitle(text: string): boolean {
  return numberedTitle.test(text) && text.length <= maxNumberedTitleLength;
}

const numberedTitle = /^\p{Nd}{1,2}(?:\.\p{Nd}{1,2}){1,4}[.)]?\s?\p{Lu}\p{Ll}[^.,;:!?|]*$/u;
const maxNumberedTitleLength = 60;

function usualLeading(open: readonly PdfLine[]): number | undefined {
  const [first, second] = open;
  return first === undefined || second === undefined ? undefined : Math.max(first.y - second.y, 1);
}

function toBlock(row: PdfRow, style: PdfStyle): PdfBlock {
  const [lines = []] = row;
  const size = lines[0]?.size ?? style.bodySize;
  const isRow = row.length > 1 || lines.some((line) => isTableRow(line, line, undefined));
  if (isRow) return { kind: 'table-row', text: rowText(row, style), size };
  const text = removeDotLeaders(joinLines(lines.map(lineText), style.words));
  const level = headingLevel(lines, text, style);
  if (level !== null) return { kind: 'heading', text: separateSectionNumber(text), level, size };
  const hasLinks = lines.some(({ cells }) => cells.some(({ linkedText }) => linkedText));
  const written = hasLinks
    ? removeDotLeaders(joinLines(lines.map(linkedLineText), style.words))
    : text;
  return { kind: listItemStart.test(text) ? 'list-item' : 'paragraph', text: written, size };
}

function headingLevel(lines: readonly PdfLine[], text: string, style: PdfStyle): number | null {
  if (lines.length > 3 || text.length > maxHeadingLength || !/\p{L}{2}/u.test(text)) return null;
  const ratio = Math.max(...lines.map((line) => line.size)) / style.bodySize;
  if (ratio >= 1.8) return 1;
  if (ratio >= 1.4) return 2;
  if (ratio >= 1.15) return 3;
  if (lines.length === 1 && isNumberedTitle(text)) return 4;
  const isTitle = ratio >= 0.95 && lines.length <= 2 && looksLikeTitle(text);
  return isTitle && lines.every((line) => isTitleFont(line, style)) ? 4 : null;
}
