import { joinLines } from './join-lines.ts';
import { lineText, linkedLineText, type PdfLine } from './pdf-lines.ts';
import { listItemStart, type PdfStyle, removeDotLeaders } from './pdf-style.ts';

/** Cells of a row, each with its lines. A row with a single cell is a block of text. */
export type PdfRow = readonly (readonly PdfLine[])[];

const maxCellLines = 10;

/**
 * Whether the line is a table row. A table row has at least three cells. A line with two cells also counts if the cells
 * are far apart, or if the line is close to another line with several cells.
 */
export function isTableRow(
  line: PdfLine,
  previous: PdfLine | undefined,
  next: PdfLine | undefined,
): boolean {
  const [first, second, third] = line.cells;
  if (first === undefined || second === undefined) return false;
  if (isJustified(line, previous) || isJustified(line, next)) return false;
  if (third !== undefined) return true;
  if (first.text.length <= 4 && listItemStart.test(`${first.text} x`)) return false;
  const isNeighbour = (other: PdfLine | undefined) =>
    other !== undefined && other.cells.length > 1 && Math.abs(other.y - line.y) < line.size * 3.5;
  const gap = Math.max(second.x0 - first.x1, first.x0 - second.x1);
  return gap > line.size * 3 || isNeighbour(previous) || isNeighbour(next);
}

/**
 * Whether the line belongs to a justified paragraph, in which gaps between words can be as wide as gaps between
 * columns.
 */
function isJustified(line: PdfLine, neighbour: PdfLine | undefined): boolean {
  if (neighbour === undefined || neighbour.cells.length > 1) return false;
  const isAligned = Math.abs(neighbour.x1 - line.x1) < line.size * 0.5;
  return isAligned && Math.abs(neighbour.x0 - line.x0) < line.size && isNear(line, neighbour);
}

function isNear(line: PdfLine, other: PdfLine): boolean {
  return Math.abs(line.y - other.y) < line.size * 1.6;
}

/**
 * Joins groups of lines into rows. PDFs draw the lines of one cell one after another. So several groups form one row if
 * they start at the same height and each group is to the right of the previous group.
 */
export function groupCellsIntoRows(groups: readonly PdfLine[][]): PdfRow[] {
  const rows: PdfLine[][][] = [];
  for (const group of groups) {
    const row = rows.at(-1);
    const before = row?.at(-1);
    if (row !== undefined && before !== undefined && isNextCell(before, group)) row.push(group);
    else rows.push([group]);
  }
  return rows;
}

function isNextCell(before: readonly PdfLine[], group: readonly PdfLine[]): boolean {
  const [top, start] = [before[0], group[0]];
  if (top === undefined || start === undefined) return false;
  if (before.length > maxCellLines || group.length > maxCellLines) return false;
  if (isProse(before) && isProse(group)) return false;
  const right = Math.max(...before.map((line) => line.x1));
  const left = Math.min(...group.map((line) => line.x0));
  return Math.abs(top.y - start.y) < start.size * 0.8 && left >= right;
}

/** Whether the lines are a column of running text instead of a table cell. */
function isProse(lines: readonly PdfLine[]): boolean {
  const words = lines.reduce((sum, line) => sum + lineText(line).split(' ').length, 0);
  return lines.length >= 4 && words >= lines.length * 6;
}

/**
 * Joins the lines of wrapped cells. A line below a row can continue its last cell, and a line above a row can start its
 * first cell.
 */
export function joinWrappedCells(rows: readonly PdfRow[]): PdfRow[] {
  const joined: PdfRow[] = [];
  for (const row of rows) {
    const above = joined.at(-1);
    const merged =
      above === undefined
        ? null
        : (joinYearRow(above, row) ?? extendLastCell(above, row) ?? prependLabel(above, row));
    if (merged === null) joined.push(row);
    else joined[joined.length - 1] = merged;
  }
  return joined;
}

/**
 * Joins two rows of dates that are column headings: the row above contains the days, and this row contains the years.
 */
function joinYearRow(above: PdfRow, row: PdfRow): PdfRow | null {
  const [days, years] = [splitCells(above), splitCells(row)];
  if (years.length < 2 || years.length !== days.length) return null;
  const isDated = years.every((lines, index) => {
    const [[year], day] = [lines, days[index]?.at(-1)];
    if (year === undefined || day === undefined || !isNextLine(day, year)) return false;
    const isBelow = year.x0 < day.x1 && year.x1 > day.x0;
    return isBelow && /^(?:19|20)\d\d$/.test(lineText(year)) && /,$|^\p{L}/u.test(lineText(day));
  });
  return isDated ? days.map((lines, index) => [...lines, ...(years[index] ?? [])]) : null;
}

function extendLastCell(above: PdfRow, row: PdfRow): PdfRow | null {
  const [lines, second] = row;
  const [line] = lines ?? [];
  const cells = splitCells(above);
  const last = cells.at(-1);
  const bottom = last?.at(-1);
  if (line === undefined || lines?.length !== 1 || second !== undefined) return null;
  if (last === undefined || bottom === undefined || cells.length < 2 || line.cells.length > 1)
    return null;
  const isBelow = isNextLine(bottom, line) && Math.abs(bottom.x0 - line.x0) < line.size * 0.6;
  return isBelow && last.length < maxCellLines ? [...cells.slice(0, -1), [...last, line]] : null;
}

function prependLabel(above: PdfRow, row: PdfRow): PdfRow | null {
  const [line] = above[0] ?? [];
  const [first, ...rest] = splitCells(row);
  const [start] = first ?? [];
  if (line === undefined || above.length > 1 || above[0]?.length !== 1) return null;
  if (first === undefined || start === undefined || rest.length === 0) return null;
  if (line.cells.length > 1 || !/^\p{Ll}/u.test(lineText(start))) return null;
  const isAbove = isNextLine(line, start) && Math.abs(line.x0 - start.x0) < line.size * 4;
  return isAbove && !/[.:;]$/.test(lineText(line)) ? [[line, ...first], ...rest] : null;
}

function isNextLine(line: PdfLine, next: PdfLine): boolean {
  const leading = line.y - next.y;
  return leading > next.size * 0.5 && leading < next.size * 1.6;
}

/** Splits a row with a single line into one cell per column. */
function splitCells(row: PdfRow): PdfRow {
  const [lines] = row;
  const [line] = lines ?? [];
  if (line === undefined || row.length > 1 || lines?.length !== 1) return row;
  return line.cells.map((cell) => [{ ...line, cells: [cell], x0: cell.x0, x1: cell.x1 }]);
}

/**
 * Returns the texts of the cells, separated by ` | `. Joins currency and percent signs with their number and removes
 * dot leaders. Splits a cell that contains several amounts, or that ends with the currency sign of the next cell.
 */
export function rowText(row: PdfRow, style: PdfStyle): string {
  const cells = splitCells(row)
    .map((lines) => removeDotLeaders(joinLines(lines.map(linkedLineText), style.words)))
    .filter((cell) => !/^[.…\s]*$/.test(cell))
    .flatMap((cell) => cell.split(/(?<=[\d)%—-]) (?=[$€£¥](?:\s?[\d(—-]|$))/));
  return cells
    .reduce((text, cell) => {
      const isSign = /(?:^|\s)[$€£¥(]+$/.test(text) || /^[)%]+$/.test(cell);
      return `${text}${isSign ? '' : ' | '}${cell}`;
    }, '')
    .replace(/^ \| /, '');
}
