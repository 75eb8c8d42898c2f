import { cellText } from './pdf-cell-text.ts';
import type { Run } from './pdf-runs.ts';

/** A stretch of a line without a wide gap: a cell of a table, or the whole line. */
export interface Cell {
  readonly text: string;
  readonly x0: number;
  readonly x1: number;
}

export interface Line {
  /** In reading direction, never empty. */
  readonly cells: readonly Cell[];
  readonly x0: number;
  readonly x1: number;
  readonly y: number;
  /** The size of the longest run. */
  readonly size: number;
  /** The one font of all letters and digits; empty for a mixture. */
  readonly font: string;
  readonly runs: readonly Run[];
}

/** The gap to the next column of a table, in units of the font size. */
const CELL_GAP = 1.2;

/** Joins runs drawn one after the other on the same baseline into lines, in the order they are drawn. */
export function readLines(runs: readonly Run[]): Line[] {
  const lines: Line[] = [];
  let open: Run[] = [];
  for (const run of runs) {
    if (open.length > 0 && !isOnLine(open, run)) {
      lines.push(composeLine(open));
      open = [];
    }
    open.push(run);
  }
  if (open.length > 0) lines.push(composeLine(open));
  return attachMarks(lines);
}

export function lineText(line: Line): string {
  return line.cells.map((cell) => cell.text).join(' ');
}

/** Superscripts and subscripts are smaller and off the baseline by about half the size at most. */
function isOnLine(open: readonly Run[], run: Run): boolean {
  const base = open.reduce((best, other) => (other.size > best.size ? other : best));
  const larger = Math.max(base.size, run.size);
  const offset = Math.abs(base.y - run.y);
  const isSameSize = Math.min(base.size, run.size) > larger * 0.8;
  const isMarkSize = Math.min(base.size, run.size) > larger * 0.3;
  return offset < larger * (isSameSize || !isMarkSize ? 0.3 : 0.55);
}

/** A line of runs on one baseline, whatever order they were drawn in. */
function composeLine(runs: readonly Run[]): Line {
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

function commonFont(runs: readonly Run[]): string {
  const fonts = new Set(
    runs.filter(({ text }) => /[\p{L}\p{N}]/u.test(text)).map(({ font }) => font),
  );
  const [font = ''] = fonts;
  return fonts.size === 1 ? font : '';
}

function charactersOf(runs: readonly Run[], isRightToLeft: boolean): number {
  let sum = 0;
  for (const run of runs) if (run.isRightToLeft === isRightToLeft) sum += run.text.length;
  return sum;
}

function splitAtGaps(runs: readonly Run[], size: number): Run[][] {
  const cells: Run[][] = [];
  let right = Number.NEGATIVE_INFINITY;
  for (const run of [...runs].sort((a, b) => a.x0 - b.x0)) {
    const cell = cells.at(-1);
    if (cell === undefined || run.x0 - right > Math.max(size, run.size) * CELL_GAP)
      cells.push([run]);
    else cell.push(run);
    right = Math.max(right, run.x1);
  }
  return cells;
}

/** Footnote marks and signs drawn after the text they belong to go back to its line. */
function attachMarks(lines: readonly Line[]): Line[] {
  const attached: Line[] = [];
  for (const line of lines) {
    const isMark = line.runs.every((run) => run.text.length <= 8);
    const index = isMark ? attached.findLastIndex((other) => carries(other, line)) : -1;
    const carrier = attached[index];
    if (carrier === undefined) attached.push(line);
    else attached[index] = composeLine([...carrier.runs, ...line.runs]);
  }
  return attached;
}

function carries(line: Line, mark: Line): boolean {
  if (mark.size > line.size * 0.8) return false;
  const rise = mark.y - line.y;
  const isNear = mark.x0 > line.x0 - line.size && mark.x1 < line.x1 + line.size * 2;
  return rise > -line.size * 0.4 && rise < line.size * 0.8 && isNear;
}
