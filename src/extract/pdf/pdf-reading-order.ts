import { groupRunsIntoLines, lineText, type PdfCell, type PdfLine } from './pdf-lines.ts';
import type { PdfRun } from './pdf-run.ts';

const maxUpwardJumpShare = 0.2;
const minTwoColumnLines = 6;
const minWordsPerLine = 3;

/**
 * Returns the lines of a page in reading order. PDF producers usually draw columns and cells one after another, so the
 * drawing order is kept, with two exceptions. If the drawing order often jumps upwards, the lines are sorted by
 * position. If it alternates between two text columns line by line, the columns are separated.
 */
export function linesInReadingOrder(runs: readonly PdfRun[]): PdfLine[] {
  const drawnLines = groupRunsIntoLines(runs);
  if (!isDisordered(drawnLines)) return separateColumns(drawnLines);
  return separateColumns(groupRunsIntoLines([...runs].sort((a, b) => b.y - a.y || a.x0 - b.x0)));
}

function isDisordered(lines: readonly PdfLine[]): boolean {
  let jumps = 0;
  lines.forEach((line, index) => {
    const previous = lines[index - 1];
    if (previous === undefined || line.y < previous.y + line.size * 2) return;
    if (line.x0 < previous.x1 && line.x1 > previous.x0) jumps += 1;
  });
  return lines.length > 10 && jumps > lines.length * maxUpwardJumpShare;
}

interface ColumnRegion {
  readonly left: PdfLine[];
  readonly right: PdfLine[];
  /** Number of lines with text in both columns. */
  twoColumnLines: number;
  /** Horizontal range of the gap between the columns. No line has text in it. */
  gutter: { x0: number; x1: number };
}

function separateColumns(lines: readonly PdfLine[]): PdfLine[] {
  const ordered: PdfLine[] = [];
  for (let at = 0; at < lines.length; ) {
    const { region, length } = columnRegionFrom(lines, at);
    const isColumns = region !== null && isRunningText(region);
    ordered.push(...(isColumns ? [...region.left, ...region.right] : lines.slice(at, at + length)));
    at += length;
  }
  return ordered;
}

/**
 * Returns the two-column region that starts at the line `start`, or null if there is none. Also returns the number of
 * lines of the region, which is at least 1.
 */
function columnRegionFrom(
  lines: readonly PdfLine[],
  start: number,
): { region: ColumnRegion | null; length: number } {
  let region: ColumnRegion | null = null;
  let length = 0;
  for (const line of lines.slice(start)) {
    const before = lines[start + length - 1];
    const leading = before === undefined || length === 0 ? 0 : before.y - line.y;
    if (leading < 0 || leading > line.size * 2.5 || line.cells.length > 2) break;
    const extended: ColumnRegion | null = extendRegion(region, line);
    if (extended === null) break;
    region = extended;
    length += 1;
  }
  return { region, length: Math.max(1, length) };
}

function extendRegion(region: ColumnRegion | null, line: PdfLine): ColumnRegion | null {
  const [first, second] = [...line.cells].sort((a, b) => a.x0 - b.x0);
  if (first === undefined) return null;
  const at = region ?? {
    left: [],
    right: [],
    twoColumnLines: 0,
    gutter: { x0: -Infinity, x1: Infinity },
  };
  if (second === undefined) {
    if (region === null) return null;
    if (first.x1 <= at.gutter.x1) return { ...at, left: [...at.left, line] };
    return first.x0 >= at.gutter.x0 ? { ...at, right: [...at.right, line] } : null;
  }
  const gutter = { x0: Math.max(at.gutter.x0, first.x1), x1: Math.min(at.gutter.x1, second.x0) };
  if (gutter.x1 - gutter.x0 < line.size * 0.5) return null;
  return {
    left: [...at.left, cellLine(line, first)],
    right: [...at.right, cellLine(line, second)],
    twoColumnLines: at.twoColumnLines + 1,
    gutter,
  };
}

function cellLine(line: PdfLine, cell: PdfCell): PdfLine {
  const runs = line.runs.filter((run) => run.x0 >= cell.x0 - 0.01 && run.x1 <= cell.x1 + 0.01);
  return { ...line, cells: [cell], x0: cell.x0, x1: cell.x1, runs };
}

/**
 * Whether the region consists of two columns of running text and is not a table. In running text, most lines of both
 * columns have several words; tables contain labels and numbers.
 */
function isRunningText({ left, right, twoColumnLines }: ColumnRegion): boolean {
  if (twoColumnLines < minTwoColumnLines) return false;
  if (twoColumnLines < Math.max(left.length, right.length) * 0.6) return false;
  return [left, right].every((column) => {
    const wordy = column.filter(
      (line) => (lineText(line).match(/\p{L}{2,}/gu)?.length ?? 0) >= minWordsPerLine,
    );
    return wordy.length > column.length * 0.7;
  });
}
