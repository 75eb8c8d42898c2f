import type { Block } from './extracted-text.ts';
import { type Line, lineText } from './pdf-lines.ts';
import { joinLines, type PdfStyle } from './pdf-style.ts';

/** Text made of the lines that belong together. */
export interface PdfBlock {
  readonly kind: Block['kind'];
  readonly text: string;
  readonly level?: number;
}

const LIST_START = /^(?:[•◦▪●○■□–*·‣⁃-]\s+\S|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s+\S)/i;
const LONGEST_HEADING = 160;
const LONGEST_CELL_LINES = 10;
const LEADERS = /(?:\s*[.…]){4,}\s*/g;

/** Groups the lines of a page, in reading order, into headings, paragraphs, list items and table rows. */
export function groupLines(lines: readonly Line[], style: PdfStyle): PdfBlock[] {
  const groups: Line[][] = [];
  lines.forEach((line, index) => {
    const open = groups.at(-1);
    const isRow = isTableRow(line, lines[index - 1], lines[index + 1]);
    const joins = open !== undefined && !isRow && continues(open, line, style);
    if (joins) open.push(line);
    else groups.push([line]);
  });
  return joinWrappedCells(rowsOfGroups(groups)).map((row) => blockOf(row, style));
}

/** Three cells make a row; two do when far apart or beside another line of cells. */
function isTableRow(line: Line, previous: Line | undefined, next: Line | undefined): boolean {
  const [first, second, third] = line.cells;
  if (first === undefined || second === undefined) return false;
  if (isJustified(line, previous) || isJustified(line, next)) return false;
  if (third !== undefined) return true;
  if (first.text.length <= 4 && LIST_START.test(`${first.text} x`)) return false;
  const isNeighbour = (other: Line | undefined) =>
    other !== undefined && other.cells.length > 1 && Math.abs(other.y - line.y) < line.size * 3.5;
  const gap = Math.max(second.x0 - first.x1, first.x0 - second.x1);
  return gap > line.size * 3 || isNeighbour(previous) || isNeighbour(next);
}

/** A line of a paragraph set to full width may have gaps as wide as those of a table. */
function isJustified(line: Line, neighbour: Line | undefined): boolean {
  if (neighbour === undefined || neighbour.cells.length > 1) return false;
  const isAligned = Math.abs(neighbour.x1 - line.x1) < line.size * 0.5;
  return isAligned && Math.abs(neighbour.x0 - line.x0) < line.size && isNear(line, neighbour);
}

function isNear(line: Line, other: Line): boolean {
  return Math.abs(line.y - other.y) < line.size * 1.6;
}

function continues(open: readonly Line[], line: Line, style: PdfStyle): boolean {
  const previous = open.at(-1);
  if (previous === undefined || isTableRow(previous, undefined, undefined)) return false;
  const text = lineText(line);
  const before = lineText(previous);
  if (/(?:\s*\.){4,}\s*[\divxlc]*$/i.test(before)) return false;
  if (Math.abs(previous.size - line.size) > Math.max(previous.size, line.size) * 0.12) return false;
  if (LIST_START.test(text)) return false;
  if (isTitleFont(previous, style) !== isTitleFont(line, style)) {
    const isTitle = open.every((other) => isTitleFont(other, style)) && looksLikeTitle(before);
    if (isTitle || looksLikeTitle(text)) return false;
  }
  const leading = previous.y - line.y;
  const isFlowing = !/[.!?:;。！？]["”’)\]]*$/.test(before) && /^[\p{Ll}\p{N}(]/u.test(text);
  if (leading < -line.size) return isFlowing && isWide(previous) && isWide(line);
  if (leading > line.size * 2.2 || leading < line.size * 0.3) return false;
  const usual = usualLeading(open) ?? line.size * 1.5;
  if (leading > usual * 1.25) return false;
  const overlaps = line.x0 < previous.x1 && line.x1 > previous.x0;
  if (!overlaps) return false;
  const right = Math.max(...open.map((other) => other.x1));
  const left = Math.min(...open.map((other) => other.x0));
  const isShort = previous.x1 < right - (right - left) * 0.25 && right - left > line.size * 15;
  const isIndented =
    open.length > 1 && line.x0 > left + line.size && previous.x0 < left + line.size;
  return isFlowing || !(isShort || isIndented);
}

/** A line of running text rather than a cell. */
function isWide(line: Line): boolean {
  return line.x1 - line.x0 > line.size * 15;
}

function isTitleFont(line: Line, style: PdfStyle): boolean {
  return style.titleFonts.has(line.font);
}

function looksLikeTitle(text: string): boolean {
  return text.length <= 100 && /^[\p{Lu}\p{Lo}\p{N}]/u.test(text) && !/[.,;:]$/.test(text);
}

function usualLeading(open: readonly Line[]): number | undefined {
  const [first, second] = open;
  return first === undefined || second === undefined ? undefined : Math.max(first.y - second.y, 1);
}

/**
 * Cells of several lines are drawn one after the other: groups that start at the same height, each to
 * the right of the one before, are one row.
 */
function rowsOfGroups(groups: readonly Line[][]): Row[] {
  const rows: Line[][][] = [];
  for (const group of groups) {
    const row = rows.at(-1);
    const before = row?.at(-1);
    if (row !== undefined && before !== undefined && isNextCell(before, group)) row.push(group);
    else rows.push([group]);
  }
  return rows;
}

function isNextCell(before: readonly Line[], group: readonly Line[]): boolean {
  const [top, start] = [before[0], group[0]];
  if (top === undefined || start === undefined) return false;
  if (before.length > LONGEST_CELL_LINES || group.length > LONGEST_CELL_LINES) return false;
  const right = Math.max(...before.map((line) => line.x1));
  const left = Math.min(...group.map((line) => line.x0));
  return Math.abs(top.y - start.y) < start.size * 0.8 && left >= right;
}

type Row = readonly (readonly Line[])[];

/** A row's last cell may go on below it, and its first may begin above it, in lines of their own. */
function joinWrappedCells(rows: readonly Row[]): Row[] {
  const joined: Row[] = [];
  for (const row of rows) {
    const above = joined.at(-1);
    const merged =
      above === undefined ? null : (continueRow(above, row) ?? prependLabel(above, row));
    if (merged === null) joined.push(row);
    else joined[joined.length - 1] = merged;
  }
  return joined;
}

function continueRow(above: Row, row: Row): Row | null {
  const [lines, second] = row;
  const [line] = lines ?? [];
  const cells = cellsOf(above);
  const last = cells.at(-1);
  const bottom = last?.at(-1);
  if (line === undefined || lines?.length !== 1 || second !== undefined) return null;
  if (last === undefined || bottom === undefined || cells.length < 2 || line.cells.length > 1)
    return null;
  const isBelow = isNextLine(bottom, line) && Math.abs(bottom.x0 - line.x0) < line.size * 0.6;
  return isBelow && last.length < LONGEST_CELL_LINES
    ? [...cells.slice(0, -1), [...last, line]]
    : null;
}

function prependLabel(above: Row, row: Row): Row | null {
  const [line] = above[0] ?? [];
  const [first, ...rest] = cellsOf(row);
  const [start] = first ?? [];
  if (line === undefined || above.length > 1 || above[0]?.length !== 1) return null;
  if (first === undefined || start === undefined || rest.length === 0) return null;
  if (line.cells.length > 1 || !/^\p{Ll}/u.test(lineText(start))) return null;
  const isAbove = isNextLine(line, start) && Math.abs(line.x0 - start.x0) < line.size * 4;
  return isAbove && !/[.:;]$/.test(lineText(line)) ? [[line, ...first], ...rest] : null;
}

function isNextLine(line: Line, next: Line): boolean {
  const leading = line.y - next.y;
  return leading > next.size * 0.5 && leading < next.size * 1.6;
}

/** A row of one line of cells as a row of cells of one line each. */
function cellsOf(row: Row): Row {
  const [lines] = row;
  const [line] = lines ?? [];
  if (line === undefined || row.length > 1 || lines?.length !== 1) return row;
  return line.cells.map((cell) => [{ ...line, cells: [cell], x0: cell.x0, x1: cell.x1 }]);
}

function blockOf(row: Row, style: PdfStyle): PdfBlock {
  const [lines = []] = row;
  const isRow = row.length > 1 || lines.some((line) => isTableRow(line, line, undefined));
  if (isRow) return { kind: 'table-row', text: rowText(row, style) };
  const text = joinLines(lines.map(lineText), style.words).replace(LEADERS, ' ');
  const level = headingLevel(lines, text, style);
  if (level !== null) return { kind: 'heading', text, level };
  return { kind: LIST_START.test(text) ? 'list-item' : 'paragraph', text };
}

/**
 * Currency and percent signs set apart from their number are no cells of their own, dot leaders none at
 * all; amounts set close together are several.
 */
function rowText(row: Row, style: PdfStyle): string {
  const cells = cellsOf(row)
    .map((lines) => joinLines(lines.map(lineText), style.words).replace(LEADERS, ' ').trim())
    .filter((cell) => !/^[.…\s]*$/.test(cell))
    .flatMap((cell) => cell.split(/(?<=[\d)—-]) (?=[$€£¥]\s?[\d(—-])/));
  return cells
    .reduce((text, cell) => {
      const isSign = /(?:^|\s)[$€£¥(]+$/.test(text) || /^[)%]+$/.test(cell);
      return `${text}${isSign ? '' : ' | '}${cell}`;
    }, '')
    .replace(/^ \| /, '');
}

function headingLevel(lines: readonly Line[], text: string, style: PdfStyle): number | null {
  if (lines.length > 3 || text.length > LONGEST_HEADING || !/\p{L}{2}/u.test(text)) return null;
  const ratio = Math.max(...lines.map((line) => line.size)) / style.bodySize;
  if (ratio >= 1.8) return 1;
  if (ratio >= 1.4) return 2;
  if (ratio >= 1.15) return 3;
  const isTitle = ratio >= 0.95 && lines.length <= 2 && looksLikeTitle(text);
  return isTitle && lines.every((line) => isTitleFont(line, style)) ? 4 : null;
}
