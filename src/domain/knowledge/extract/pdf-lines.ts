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
    text: cellText(isRightToLeft ? orderRightToLeft(cell) : cell, isRightToLeft),
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

/** Numbers and foreign words run left to right also within a line that runs right to left. */
function orderRightToLeft(runs: readonly Run[]): Run[] {
  const ordered: Run[] = [];
  let foreign: Run[] = [];
  for (const run of [...runs].reverse()) {
    if (run.isRightToLeft) {
      ordered.push(...foreign.reverse(), run);
      foreign = [];
    } else {
      foreign.push(run);
    }
  }
  return [...ordered, ...foreign.reverse()];
}

function cellText(runs: readonly Run[], isRightToLeft: boolean): string {
  let text = '';
  let previous: Run | undefined;
  for (const run of runs) {
    const gap = previous === undefined ? 0 : gapBetween(previous, run, isRightToLeft);
    const isOnTop = gap < -run.size * 0.2 && !isRightToLeft;
    const isRepeated = isOnTop && text.endsWith(run.text.charAt(0));
    const turns = previous !== undefined && previous.isRightToLeft !== run.isRightToLeft;
    const needsSpace =
      (Math.abs(gap) > run.size * WORD_GAP && !isRepeated) || (turns && /\p{L}/u.test(run.text));
    // Bold made by printing each character twice: the run starts on top of the one it repeats.
    text += (needsSpace ? ' ' : '') + (isRepeated ? run.text.slice(1) : run.text);
    previous = run;
  }
  return composeAccents(text.replace(/\s+/g, ' ').trim());
}

const COMBINING: Readonly<Record<string, string>> = {
  '´': '\u0301',
  '¨': '\u0308',
  ˆ: '\u0302',
  '˜': '\u0303',
  '˘': '\u0306',
  '˙': '\u0307',
  '˚': '\u030a',
  '˝': '\u030b',
  ˇ: '\u030c',
};

/** TeX sets an accent and its letter as two glyphs. An acute accent alone may be an apostrophe. */
function composeAccents(text: string): string {
  return text.replace(
    /(?:([¨ˆ˜˘˙˚˝ˇ]) ?|(?<=\p{L})(´) )(\p{L})/gu,
    (found, other, acute, letter) => {
      const base = letter === 'ı' ? 'i' : letter;
      const composed = `${base}${COMBINING[other ?? acute]}`.normalize('NFC');
      return composed.length === 1 ? composed : found;
    },
  );
}

function gapBetween(previous: Run, run: Run, isRightToLeft: boolean): number {
  if (!isRightToLeft) return run.x0 - previous.x1;
  return Math.max(previous.x0 - run.x1, run.x0 - previous.x1);
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
