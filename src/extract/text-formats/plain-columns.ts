import type { Row } from '../tables/table-records.ts';

/** Consecutive lines of a plain text: text, or a table whose columns are separated by spaces or tabs. */
export type PlainPart =
  | { readonly kind: 'text'; readonly lines: readonly string[] }
  | { readonly kind: 'table'; readonly header: Row | null; readonly rows: readonly Row[] };

/** A range of columns of a line, from 0. `end` is not included. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text of a line, between wide spaces or tabs. */
interface Cell extends Span {
  readonly text: string;
}

/** The cells of a line. */
type Cells = readonly Cell[];

/** Minimum width of the gap between two columns: in two lines, and in more lines. */
const minGapOfTwo = 3;
const minGap = 2;
/** Longer texts before a gap are prose with wide spaces. */
const maxCellLength = 60;
/** Minimum share of the lines in which a column starts or ends at the same place. */
const minAligned = 0.6;
/** Wide, so that the values after tabs are aligned whatever the length of the names. */
const tabWidth = 64;
/** A line with more cells is no row. */
const maxCells = 40;
/** Number of lines above a line that it is compared with, and of a run of lines that may begin with lines of text. */
const comparedLines = 20;

/** Splits the lines of a paragraph into text and tables. A table has at least two lines with the same gaps. */
export function splitPlainTables(lines: readonly string[]): PlainPart[] {
  const parts: PlainPart[] = [];
  let text: string[] = [];
  for (let index = 0; index < lines.length; ) {
    const isTitled = isTitleRow(cellsAt(lines, index), cellsAt(lines, index + 1));
    const start = isTitled ? index + 1 : index;
    const table = tableAt(lines, start);
    const pairs = isTitled ? { rows: [], isTable: false } : pairsAt(lines, start);
    const isTable = table.isTable && table.rows.length >= (pairs.isTable ? pairs.rows.length : 0);
    if (isTable || pairs.isTable) {
      if (text.length > 0) parts.push({ kind: 'text', lines: text });
      text = [];
      const titles = isTitled ? cellsAt(lines, index) : null;
      parts.push(isTable ? readTable(titles, table.rows) : readPairs(pairs.rows));
      index = start + (isTable ? table : pairs).rows.length;
      continue;
    }
    // A long run of lines is not tried again from each of its lines, which would take quadratic time.
    const tried = Math.max(table.rows.length, pairs.rows.length);
    const next = tried > comparedLines ? start + tried : index + 1;
    text.push(...lines.slice(index, next));
    index = next;
  }
  if (text.length > 0) parts.push({ kind: 'text', lines: text });
  return parts;
}

/** Whether a line has several texts, the first of which begins to the right of the first cell of the next line. */
function isTitleRow(titles: Cells, [first]: Cells): boolean {
  return first !== undefined && titles.length > 1 && (titles[0]?.start ?? 0) >= first.end;
}

function cellsAt(lines: readonly string[], index: number): Cells {
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

/** Lines that may be a table, and whether they are. */
interface Run {
  readonly rows: readonly Cells[];
  readonly isTable: boolean;
}

/** Returns the lines from one on that have a gap in common. */
function tableAt(lines: readonly string[], start: number): Run {
  const first = cellsAt(lines, start);
  if (first.length < 2 || otherLine.test(lines[start] ?? '')) return { rows: [], isTable: false };
  const rows = [first];
  let gaps = gapsOf(first);
  for (let index = start + 1; index < lines.length; index += 1) {
    const row = cellsAt(lines, index);
    const shared = intersect(gaps, gapsOf(row));
    const inner = innerGaps(shared, [...rows.slice(-comparedLines), row], minGap);
    // Only a line that continues the one above has no text before the first gap, and only such a line has one text.
    const isRow = inner.some(({ end }) => row.some((cell) => cell.start >= end));
    if (!isRow || otherLine.test(lines[index] ?? '')) break;
    gaps = shared;
    rows.push(row);
  }
  return { rows, isTable: rows.length > 1 && columnsOf(rows).length > 1 };
}

/**
 * Returns consecutive lines with a name and a value each. They are a table if most of the values start or end at the same
 * place. A long name may reach into the column of the values.
 */
function pairsAt(lines: readonly string[], start: number): Run {
  const rows: Cells[] = [];
  for (let index = start; index < lines.length; index += 1) {
    const row = cellsAt(lines, index);
    const [name] = row;
    const isName = name !== undefined && name.end - name.start <= maxCellLength;
    if (!isName || row.length !== 2 || otherLine.test(lines[index] ?? '')) break;
    rows.push(row);
  }
  const values = rows.flatMap((row) => row[1] ?? []);
  return { rows, isTable: values.length >= minPairs && areAligned(values) };
}

const minPairs = 3;

function readPairs(rows: readonly Cells[]): PlainPart {
  return { kind: 'table', header: null, rows: rows.map((row) => row.map(({ text }) => text)) };
}

/** Matches items of lists, fields such as `Name:  value`, and rows that are separated in another way. */
const otherLine = /^\s*(?:[-*+•]|\d{1,3}[.)]) +\S|^\s*\S[^:\n]{0,60}: {2,}|\|/;

/** Returns the ranges without text, from the start of the line to an open end. */
function gapsOf(cells: Cells): Span[] {
  const starts = [...cells.map(({ start }) => start), Number.POSITIVE_INFINITY];
  return starts.map((end, index) => ({ start: cells[index - 1]?.end ?? 0, end }));
}

function intersect(left: readonly Span[], right: readonly Span[]): Span[] {
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
function innerGaps(gaps: readonly Span[], rows: readonly Cells[], width: number): Span[] {
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
function columnsOf(rows: readonly Cells[]): Span[] {
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

function areAligned(cells: readonly Span[]): boolean {
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

function readTable(titles: Cells | null, lines: readonly Cells[]): PlainPart {
  const columns = columnsOf(lines);
  const read = lines.map((cells) => columns.map((column) => textIn(cells, column)));
  const isRuled = (read[1] ?? []).every((cell) => /^[-=_]*$/.test(cell));
  const rows = joinWrapped(isRuled ? read.toSpliced(1, 1) : read);
  if (titles !== null) return withTitles(titlesOf(titles, columns, lines), rows);
  const [first = [], ...rest] = rows;
  if (isRuled || isAboveNumbers(rows)) return { kind: 'table', header: first, rows: rest };
  return { kind: 'table', header: null, rows };
}

/** Returns the text of a line in a column. */
function textIn(cells: Cells, { start, end }: Span): string {
  const inside = cells.filter((cell) => cell.start >= start && cell.start < end);
  return inside.map(({ text }) => text).join(' ');
}

/** Returns the title above each column: the text that overlaps it most, or ''. */
function titlesOf(line: Cells, columns: readonly Span[], rows: readonly Cells[]): string[] {
  const titles = columns.map(() => '');
  const extents = columns.map(({ start, end }) => {
    const cells = rows.flatMap(
      (row) => row.find((cell) => cell.start >= start && cell.start < end) ?? [],
    );
    return {
      start: cells.reduce((least, cell) => Math.min(least, cell.start), Number.POSITIVE_INFINITY),
      end: cells.reduce((most, cell) => Math.max(most, cell.end), 0),
    };
  });
  for (const { text, start, end } of line) {
    const overlaps = extents.map(
      (extent) => Math.min(extent.end, end) - Math.max(extent.start, start),
    );
    const column = overlaps.indexOf(Math.max(...overlaps));
    titles[column] = `${titles[column]} ${text}`.trim();
  }
  return titles;
}

/** A column without a title belongs to the one before it: "High" and "(July, August)". */
function withTitles(titles: Row, rows: readonly Row[]): PlainPart {
  return {
    kind: 'table',
    header: joinUntitled(titles, titles),
    rows: rows.map((row) => joinUntitled(row, titles)),
  };
}

/** Joins a line without a name, which continues the cells of the line above it. */
function joinWrapped(rows: readonly Row[]): Row[] {
  const joined: Row[] = [];
  for (const row of rows) {
    const before = joined.at(-1);
    if (row[0] !== '' || before === undefined) joined.push(row);
    else
      joined.splice(
        -1,
        1,
        before.map((cell, at) => `${cell} ${row[at] ?? ''}`.trim()),
      );
  }
  return joined;
}

/** Whether the first row has no digits, above a column that has digits in all other rows. */
function isAboveNumbers([first = [], ...rest]: readonly Row[]): boolean {
  if (rest.length < 2 || first.some((cell) => cell === '' || /\d/.test(cell))) return false;
  return first.some((_, column) => rest.every((row) => /\d/.test(row[column] ?? '')));
}

function joinUntitled(row: Row, titles: Row): Row {
  const joined: string[] = [];
  for (const [column, cell] of row.entries()) {
    const isTitled = column === 0 || titles[column] !== '';
    if (isTitled) joined.push(cell);
    else joined.push(`${joined.pop() ?? ''} ${cell}`.trim());
  }
  return joined;
}
