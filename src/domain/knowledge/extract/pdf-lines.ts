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
  /** Size and font of the longest run. */
  readonly size: number;
  readonly font: string;
  readonly runs: readonly Run[];
}

/** Gaps in units of the font size: from a word space, and from the next column of a table. */
const WORD_GAP = 0.13;
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

/** Footnote marks and signs drawn after the text they belong to go back to its line. */
function attachMarks(lines: readonly Line[]): Line[] {
  const attached: Line[] = [];
  for (const line of lines) {
    const index = isMark(line) ? attached.findLastIndex((other) => carries(other, line)) : -1;
    const carrier = attached[index];
    if (carrier === undefined) attached.push(line);
    else attached[index] = composeLine([...carrier.runs, ...line.runs]);
  }
  return attached;
}

function isMark(line: Line): boolean {
  return line.runs.every((run) => run.text.length <= 8);
}

function carries(line: Line, mark: Line): boolean {
  const [first] = mark.runs;
  if (first === undefined || first.size > line.size * 0.8) return false;
  const rise = mark.y - line.y;
  const isNear = mark.x0 > line.x0 - line.size && mark.x1 < line.x1 + line.size * 2;
  return rise > -line.size * 0.4 && rise < line.size * 0.8 && isNear;
}

/** Superscripts and subscripts are smaller and off the baseline by less than half the size. */
function isOnLine(open: readonly Run[], run: Run): boolean {
  const base = open.reduce((best, other) => (other.size > best.size ? other : best));
  const larger = Math.max(base.size, run.size);
  const offset = Math.abs(base.y - run.y);
  const isSameSize = Math.min(base.size, run.size) > larger * 0.8;
  return offset < larger * (isSameSize ? 0.3 : 0.55);
}

/** A line of runs on one baseline, whatever order they were drawn in. */
export function composeLine(runs: readonly Run[]): Line {
  const isRightToLeft = charactersOf(runs, true) > charactersOf(runs, false);
  const sorted = [...runs].sort((a, b) => (isRightToLeft ? b.x1 - a.x1 : a.x0 - b.x0));
  const cells: Cell[] = [];
  for (const run of sorted) {
    const previous = cells.at(-1);
    const gap = previous === undefined ? Infinity : gapBetween(previous, run, isRightToLeft);
    if (previous === undefined || gap > run.size * CELL_GAP) {
      cells.push({ text: run.text, x0: run.x0, x1: run.x1 });
      continue;
    }
    const text = withoutOverprint(previous.text, run, gap);
    const needsSpace = gap > run.size * WORD_GAP && !/\s$/.test(previous.text) && !/^\s/.test(text);
    cells[cells.length - 1] = {
      text: previous.text + (needsSpace ? ' ' : '') + text,
      x0: Math.min(previous.x0, run.x0),
      x1: Math.max(previous.x1, run.x1),
    };
  }
  const largest = runs.reduce((best, run) => (run.text.length > best.text.length ? run : best));
  return {
    cells: cells.map((cell) => ({ ...cell, text: cell.text.replace(/\s+/g, ' ').trim() })),
    x0: Math.min(...runs.map((run) => run.x0)),
    x1: Math.max(...runs.map((run) => run.x1)),
    y: largest.y,
    size: largest.size,
    font: largest.font,
    runs,
  };
}

function charactersOf(runs: readonly Run[], isRightToLeft: boolean): number {
  let sum = 0;
  for (const run of runs) if (run.isRightToLeft === isRightToLeft) sum += run.text.length;
  return sum;
}

function gapBetween(previous: Cell, run: Run, isRightToLeft: boolean): number {
  return isRightToLeft ? previous.x0 - run.x1 : run.x0 - previous.x1;
}

/** Bold made by printing each character twice: the run starts on top of the character it repeats. */
function withoutOverprint(previous: string, run: Run, gap: number): string {
  const isOnTop = gap < -run.size * 0.2;
  return isOnTop && previous.endsWith(run.text.charAt(0)) ? run.text.slice(1) : run.text;
}
