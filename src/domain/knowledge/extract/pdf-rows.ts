import { type Line, lineText } from './pdf-lines.ts';
import { joinLines, LIST_START, type PdfStyle, withoutLeaders } from './pdf-style.ts';

/** Cells side by side, each of one or more lines. A single cell is no row but a block of text. */
export type Row = readonly (readonly Line[])[];

const LONGEST_CELL_LINES = 10;

/** Three cells make a row; two do when far apart or beside another line of cells. */
export function isTableRow(
  line: Line,
  previous: Line | undefined,
  next: Line | undefined,
): boolean {
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

/**
 * Cells of several lines are drawn one after the other: groups that start at the same height, each to
 * the right of the one before, are one row.
 */
export function rowsOfGroups(groups: readonly Line[][]): Row[] {
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
  if (isProse(before) && isProse(group)) return false;
  const right = Math.max(...before.map((line) => line.x1));
  const left = Math.min(...group.map((line) => line.x0));
  return Math.abs(top.y - start.y) < start.size * 0.8 && left >= right;
}

/** Columns of running text rather than cells. */
function isProse(lines: readonly Line[]): boolean {
  const words = lines.reduce((sum, line) => sum + lineText(line).split(' ').length, 0);
  return lines.length >= 4 && words >= lines.length * 6;
}

/** A row's last cell may go on below it, and its first may begin above it, in lines of their own. */
export function joinWrappedCells(rows: readonly Row[]): Row[] {
  const joined: Row[] = [];
  for (const row of rows) {
    const above = joined.at(-1);
    const merged =
      above === undefined
        ? null
        : (addYears(above, row) ?? continueRow(above, row) ?? prependLabel(above, row));
    if (merged === null) joined.push(row);
    else joined[joined.length - 1] = merged;
  }
  return joined;
}

/** Dates at the head of columns: the days in one line, the years below them. */
function addYears(above: Row, row: Row): Row | null {
  const [days, years] = [cellsOf(above), cellsOf(row)];
  if (years.length < 2 || years.length !== days.length) return null;
  const isDated = years.every((lines, index) => {
    const [[year], day] = [lines, days[index]?.at(-1)];
    if (year === undefined || day === undefined || !isNextLine(day, year)) return false;
    const isBelow = year.x0 < day.x1 && year.x1 > day.x0;
    return isBelow && /^(?:19|20)\d\d$/.test(lineText(year)) && /,$|^\p{L}/u.test(lineText(day));
  });
  return isDated ? days.map((lines, index) => [...lines, ...(years[index] ?? [])]) : null;
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

/**
 * Currency and percent signs set apart from their number are no cells of their own, dot leaders none at
 * all; amounts set close together are several.
 */
export function rowText(row: Row, style: PdfStyle): string {
  const cells = cellsOf(row)
    .map((lines) => withoutLeaders(joinLines(lines.map(lineText), style.words)))
    .filter((cell) => !/^[.…\s]*$/.test(cell))
    .flatMap((cell) => cell.split(/(?<=[\d)—-]) (?=[$€£¥]\s?[\d(—-])/));
  return cells
    .reduce((text, cell) => {
      const isSign = /(?:^|\s)[$€£¥(]+$/.test(text) || /^[)%]+$/.test(cell);
      return `${text}${isSign ? '' : ' | '}${cell}`;
    }, '')
    .replace(/^ \| /, '');
}
