import { cellText } from './pdf-cell-text.ts';
import type { PdfCell, PdfLine } from './pdf-lines.ts';
import type { PdfRun } from './pdf-run.ts';

/** Maximum gap between the words of a title, as a share of the font size. */
const maxWordGap = 0.45;

/**
 * Splits column titles that are closer together than the cells of their columns. The row below a line shows where the
 * columns are. Lines must be in reading order.
 */
export function splitHeaders(lines: readonly PdfLine[]): PdfLine[] {
  return lines.map((line, index) => {
    const below = lines[index + 1];
    const cells = below === undefined ? null : titleCells(line, below);
    return cells === null ? line : { ...line, cells };
  });
}

/** Returns one cell per column of the row below. Returns null unless each column has a title of its own. */
function titleCells(line: PdfLine, below: PdfLine): PdfCell[] | null {
  const columns = below.cells;
  const leading = line.y - below.y;
  const isAbove = leading > 0 && leading < line.size * 3.5;
  const isReversed = line.runs.some(({ isRightToLeft }) => isRightToLeft);
  if (columns.length < 3 || line.cells.length >= columns.length || !isAbove || isReversed) {
    return null;
  }
  const titles: PdfRun[][] = columns.map(() => []);
  for (const piece of piecesOf(line)) {
    const over = columns.flatMap((column, index) => (overlaps(piece, column) ? [index] : []));
    const [index] = over;
    if (index === undefined || over.length > 1) return null;
    titles[index]?.push(...piece);
  }
  return titles.every((runs) => runs.length > 0) ? titles.map(toCell) : null;
}

/** Returns the runs of a line, grouped by the gaps between them. Each group is one or more words. */
function piecesOf({ runs, size }: PdfLine): PdfRun[][] {
  const pieces: PdfRun[][] = [];
  for (const run of [...runs].sort((a, b) => a.x0 - b.x0)) {
    const piece = pieces.at(-1);
    const right = piece?.at(-1)?.x1 ?? Number.NEGATIVE_INFINITY;
    if (piece === undefined || run.x0 - right > size * maxWordGap) pieces.push([run]);
    else piece.push(run);
  }
  return pieces;
}

function overlaps(piece: readonly PdfRun[], column: PdfCell): boolean {
  const { x0, x1 } = extentOf(piece);
  return x0 < column.x1 && x1 > column.x0;
}

function extentOf(runs: readonly PdfRun[]) {
  return { x0: Math.min(...runs.map(({ x0 }) => x0)), x1: Math.max(...runs.map(({ x1 }) => x1)) };
}

function toCell(runs: readonly PdfRun[]): PdfCell {
  return { text: cellText(runs, false), ...extentOf(runs) };
}
