import { cellText } from './pdf-cell-text.ts';
import type { PdfRun } from './pdf-run.ts';
import { joinSpacedLetters } from './pdf-spaced-letters.ts';

/** Part of a line without wide gaps: a table cell, or the whole line. */
export interface PdfCell {
  readonly text: string;
  /** The text with the addresses of its links. Missing if the text has no links. */
  readonly linkedText?: string;
  readonly x0: number;
  readonly x1: number;
}

export interface PdfLine {
  /** Cells in reading direction. There is at least one cell. */
  readonly cells: readonly PdfCell[];
  readonly x0: number;
  readonly x1: number;
  readonly y: number;
  /** Font size, in points, of the longest text run of the line. */
  readonly size: number;
  /** Font of the letters and digits in the line. '' if they have several fonts. */
  readonly font: string;
  readonly runs: readonly PdfRun[];
}

/** Minimum gap between table columns, as a multiple of the font size. */
const minCellGap = 1.2;

/** Joins consecutive text runs on the same baseline into lines. Keeps the order in which the PDF draws them. */
export function groupRunsIntoLines(runs: readonly PdfRun[]): PdfLine[] {
  const lines: PdfLine[] = [];
  let open: PdfRun[] = [];
  for (const run of runs) {
    if (open.length > 0 && !isOnLine(open, run)) {
      lines.push(composeLine(open));
      open = [];
    }
    open.push(run);
  }
  if (open.length > 0) lines.push(composeLine(open));
  return attachSuperscripts(lines);
}

export function lineText(line: PdfLine): string {
  return line.cells.map((cell) => cell.text).join(' ');
}

/** Returns the text of a line with the addresses of its links. */
export function linkedLineText(line: PdfLine): string {
  return line.cells.map(({ text, linkedText = text }) => linkedText).join(' ');
}

/**
 * Whether the run belongs to the line. A superscript or subscript belongs to it if it is at most 0.55 font sizes above
 * or below the line.
 */
function isOnLine(open: readonly PdfRun[], run: PdfRun): boolean {
  const base = open.reduce((best, other) => (other.size > best.size ? other : best));
  const larger = Math.max(base.size, run.size);
  const offset = Math.abs(base.y - run.y);
  const isSameSize = Math.min(base.size, run.size) > larger * 0.8;
  const isMarkSize = Math.min(base.size, run.size) > larger * 0.3;
  return offset < larger * (isSameSize || !isMarkSize ? 0.3 : 0.55);
}

/** Creates a line from text runs on one baseline. The runs may be in any order. */
function composeLine(drawn: readonly PdfRun[]): PdfLine {
  const runs = joinSpacedLetters(drawn);
  const longest = runs.reduce((best, run) => (run.text.length > best.text.length ? run : best));
  const isRightToLeft = charactersOf(runs, true) > charactersOf(runs, false);
  const cells = splitAtGaps(runs, longest.size).map((cell) => ({
    text: cellText(cell, isRightToLeft),
    x0: Math.min(...cell.map((run) => run.x0)),
    x1: Math.max(...cell.map((run) => run.x1)),
  }));
  return {
    cells: isRightToLeft ? cells.reverse() : cells,
    x0: Math.min(...runs.map((run) => run.x0)),
    x1: Math.max(...runs.map((run) => run.x1)),
    y: longest.y,
    size: longest.size,
    font: commonFont(runs),
    runs,
  };
}

function commonFont(runs: readonly PdfRun[]): string {
  const fonts = new Set(
    runs.filter(({ text }) => /[\p{L}\p{N}]/u.test(text)).map(({ font }) => font),
  );
  const [font = ''] = fonts;
  return fonts.size === 1 ? font : '';
}

function charactersOf(runs: readonly PdfRun[], isRightToLeft: boolean): number {
  let sum = 0;
  for (const run of runs) if (run.isRightToLeft === isRightToLeft) sum += run.text.length;
  return sum;
}

function splitAtGaps(runs: readonly PdfRun[], size: number): PdfRun[][] {
  const cells: PdfRun[][] = [];
  let right = Number.NEGATIVE_INFINITY;
  for (const run of [...runs].sort((a, b) => a.x0 - b.x0)) {
    const cell = cells.at(-1);
    if (cell === undefined || run.x0 - right > Math.max(size, run.size) * minCellGap)
      cells.push([run]);
    else cell.push(run);
    right = Math.max(right, run.x1);
  }
  return cells;
}

/**
 * Adds superscripts, such as footnote numbers, to the line to which they belong, if the PDF draws them after that line.
 */
function attachSuperscripts(lines: readonly PdfLine[]): PdfLine[] {
  const attached: PdfLine[] = [];
  for (const line of lines) {
    const isMark = line.runs.every((run) => run.text.length <= 8);
    const index = isMark ? attached.findLastIndex((other) => hasSuperscript(other, line)) : -1;
    const carrier = attached[index];
    if (carrier === undefined) attached.push(line);
    else attached[index] = composeLine([...carrier.runs, ...line.runs]);
  }
  return attached;
}

function hasSuperscript(line: PdfLine, mark: PdfLine): boolean {
  if (mark.size > line.size * 0.8) return false;
  const rise = mark.y - line.y;
  const isNear = mark.x0 > line.x0 - line.size && mark.x1 < line.x1 + line.size * 2;
  return rise > -line.size * 0.4 && rise < line.size * 0.8 && isNear;
}
