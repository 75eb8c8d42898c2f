/** A range of columns of a line, from 0. `end` is not included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text of a line, between wide spaces or tabs. */
interface Cell extends Span {
  readonly text: string;
}

/** The cells of a line. */
export type Cells = readonly Cell[];

/** Minimum width of the gap between two columns: in two lines, and in more lines. */
const minGapOfTwo = 3;
export const minGap = 2;
/** Longer texts before a gap are prose with wide spaces. */
export const maxCellLength = 60;
/** Minimum share of the lines in which a column starts or ends at the same place. */
const minAligned = 0.6;
/** Wide, so that the values after tabs are aligned whatever the length of the names. */
const tabWidth = 64;
/** A line with more cells is no row. */
const maxCells = 40;

/** Returns the texts of a line between wide spaces, tabs or leader dots. A line with too many has none. */
export function cellsAt(lines: readonly string[], index: number): Cells {
  return cellsOf(withoutLeaders(lines[index] ?? ''));
}

function cellsOf(line: string): Cells {
  const cells: Cell[] = [];
  let at = 0;
  let column = 0;
  for (const { 0: text, index } of line.matchAll(/\S+(?: \S+)*/g)) {
    if (cells.length === maxCells) return [];
    for (; at < index; at += 1) {
      column += line[at] === '\t' ? 2 * tabWidth - (column % tabWidth) : 1;
    }
    cells.push({ text, start: column, end: column + text.length });
    column += text.length;
    at = index + text.length;
  }
  return cells;
}

/**
 * Replaces the dots between a name and its value, as in "Adults ...... 4 euros", by a tab. A number alone is the page of a
 * table of contents.
 */
function withoutLeaders(line: string): string {
  const leaders = / {0,40}\.{3,100} {0,40}(?=[^\s.])(?!\p{Nd}{1,4}\s*$)/u;
  return /^\s*[\p{L}\p{N}]/u.test(line) ? line.replace(leaders, '\t') : line;
}

/** Returns the ranges without text, from the start of the line to an open end. */
export function gapsOf(cells: Cells): Span[] {
  const starts = [...cells.map(({ start }) => start), Number.POSITIVE_INFINITY];
  return starts.map((end, index) => ({ start: cells[index - 1]?.end ?? 0, end }));
}

export function intersect(left: readonly Span[], right: readonly Span[]): Span[] {
  return left.flatMap((one) =>
    right.flatMap((other) => {
      const shared = {
        start: Math.max(one.start, other.start),
        end: Math.min(one.end, other.end),
      };
      return shared.end - shared.start >= minGap ? [shared] : [];
    }),
  );
}

/** Returns the gaps between two columns: each has text on both sides, in two lines at least. */
export function innerGaps(gaps: readonly Span[], rows: readonly Cells[], width: number): Span[] {
  return gaps.filter(({ start, end }) => {
    const before = rows.map((cells) => cells.findLast((cell) => cell.end <= start));
    const sides = rows.filter(
      (cells, index) => before[index] !== undefined && cells.some((cell) => cell.start >= end),
    );
    const isProse = before.some((cell) => cell !== undefined && cell.text.length > maxCellLength);
    return end - start >= width && sides.length >= Math.min(2, rows.length - 1) && !isProse;
  });
}

/** Returns the columns of a table. Leaves out gaps on both sides of which nothing is aligned. */
export function columnsOf(rows: readonly Cells[]): Span[] {
  const gaps = rows.map(gapsOf).reduce(intersect);
  const width = rows.length > 2 ? minGap : minGapOfTwo;
  const inner = innerGaps(gaps, rows, width).filter((gap) => isAligned(gap, rows));
  const starts = [0, ...inner.map(({ end }) => end)];
  return inner.length === 0
    ? []
    : starts.map((start, index) => ({
        start,
        end: inner[index]?.start ?? Number.POSITIVE_INFINITY,
      }));
}

/** Whether most texts after the gap start or end at the same place. */
function isAligned({ end }: Span, rows: readonly Cells[]): boolean {
  return areAligned(rows.flatMap((cells) => cells.find((cell) => cell.start >= end) ?? []));
}

export function areAligned(cells: readonly Span[]): boolean {
  const most = (places: readonly number[]) => {
    const counts = new Map<number, number>();
    for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
    return [...counts.values()].reduce((highest, count) => Math.max(highest, count), 0);
  };
  const aligned = Math.max(
    most(cells.map(({ start }) => start)),
    most(cells.map(({ end }) => end)),
  );
  return aligned >= 2 && aligned >= minAligned * cells.length;
}
