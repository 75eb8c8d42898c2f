import { type Cell, type Line, lineText, readLines } from './pdf-lines.ts';
import type { Run } from './pdf-runs.ts';

const LARGEST_DISORDER = 0.2;
const FEWEST_WOVEN_LINES = 6;
const FEWEST_WORDS = 3;

/**
 * The lines of a page in reading order. Producers draw columns and cells one after the other, so the
 * order of drawing is followed unless it keeps jumping back up, or weaves two columns line by line.
 */
export function linesInReadingOrder(runs: readonly Run[]): Line[] {
  const drawn = readLines(runs);
  if (!isDisordered(drawn)) return unweaveColumns(drawn);
  return unweaveColumns(readLines([...runs].sort((a, b) => b.y - a.y || a.x0 - b.x0)));
}

function isDisordered(lines: readonly Line[]): boolean {
  let jumps = 0;
  lines.forEach((line, index) => {
    const previous = lines[index - 1];
    if (previous === undefined || line.y < previous.y + line.size * 2) return;
    if (line.x0 < previous.x1 && line.x1 > previous.x0) jumps += 1;
  });
  return lines.length > 10 && jumps > lines.length * LARGEST_DISORDER;
}

interface Stretch {
  readonly left: Line[];
  readonly right: Line[];
  /** Lines with text on both sides. */
  woven: number;
  /** The gap that all lines share. */
  gutter: { x0: number; x1: number };
}

function unweaveColumns(lines: readonly Line[]): Line[] {
  const ordered: Line[] = [];
  for (let at = 0; at < lines.length; ) {
    const { stretch, length } = stretchFrom(lines, at);
    const isColumns = stretch !== null && isRunningText(stretch);
    ordered.push(
      ...(isColumns ? [...stretch.left, ...stretch.right] : lines.slice(at, at + length)),
    );
    at += length;
  }
  return ordered;
}

/** The lines from `start` on that leave one gutter free; at least one line. */
function stretchFrom(
  lines: readonly Line[],
  start: number,
): { stretch: Stretch | null; length: number } {
  let stretch: Stretch | null = null;
  let length = 0;
  for (const line of lines.slice(start)) {
    const before = lines[start + length - 1];
    const leading = before === undefined || length === 0 ? 0 : before.y - line.y;
    if (leading < 0 || leading > line.size * 2.5 || line.cells.length > 2) break;
    const extended: Stretch | null = extend(stretch, line);
    if (extended === null) break;
    stretch = extended;
    length += 1;
  }
  return { stretch, length: Math.max(1, length) };
}

function extend(stretch: Stretch | null, line: Line): Stretch | null {
  const [first, second] = [...line.cells].sort((a, b) => a.x0 - b.x0);
  if (first === undefined) return null;
  const at = stretch ?? { left: [], right: [], woven: 0, gutter: { x0: -Infinity, x1: Infinity } };
  if (second === undefined) {
    if (stretch === null) return null;
    if (first.x1 <= at.gutter.x1) return { ...at, left: [...at.left, line] };
    return first.x0 >= at.gutter.x0 ? { ...at, right: [...at.right, line] } : null;
  }
  const gutter = { x0: Math.max(at.gutter.x0, first.x1), x1: Math.min(at.gutter.x1, second.x0) };
  if (gutter.x1 - gutter.x0 < line.size * 0.5) return null;
  return {
    left: [...at.left, lineOf(line, first)],
    right: [...at.right, lineOf(line, second)],
    woven: at.woven + 1,
    gutter,
  };
}

function lineOf(line: Line, cell: Cell): Line {
  const runs = line.runs.filter((run) => run.x0 >= cell.x0 - 0.01 && run.x1 <= cell.x1 + 0.01);
  return { ...line, cells: [cell], x0: cell.x0, x1: cell.x1, runs };
}

/** Most lines of a table hold labels and numbers; columns of text hold several words on both sides. */
function isRunningText({ left, right, woven }: Stretch): boolean {
  if (woven < FEWEST_WOVEN_LINES || woven < Math.max(left.length, right.length) * 0.6) return false;
  return [left, right].every((column) => {
    const wordy = column.filter(
      (line) => (lineText(line).match(/\p{L}{2,}/gu)?.length ?? 0) >= FEWEST_WORDS,
    );
    return wordy.length > column.length * 0.7;
  });
}
