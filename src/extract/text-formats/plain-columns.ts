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

/** Minimum width of the gap between two columns: in two lines, and in more lines. */
const minGapOfTwo = 3;
const minGap = 2;
/** Longer texts before a gap are prose with wide spaces. */
const maxCellLength = 60;
/** Minimum share of the lines in which a column starts or ends at the same place. */
const minAligned = 0.6;
/** Wide, so that the values after tabs are aligned whatever the length of the names. */
const tabWidth = 64;

/** Splits the lines of a paragraph into text and tables. A table has at least two lines with the same gaps. */
export function splitPlainTables(lines: readonly string[]): PlainPart[] {
  const parts: PlainPart[] = [];
  const expanded = lines.map((line) => expandTabs(withoutLeaders(line)));
  let text: string[] = [];
  for (let index = 0; index < lines.length; ) {
    const isTitled = isTitleRow(expanded[index] ?? '', expanded[index + 1] ?? '');
    const start = isTitled ? index + 1 : index;
    const end = tableEnd(expanded, start);
    const listEnd = isTitled ? start : pairsEnd(expanded, start);
    const found = Math.max(end ?? 0, listEnd);
    if (end === null && listEnd === start) {
      text.push(lines[index] ?? '');
      index += 1;
      continue;
    }
    if (text.length > 0) parts.push({ kind: 'text', lines: text });
    text = [];
    const rows = expanded.slice(start, found);
    const titleLine = isTitled ? (expanded[index] ?? '') : null;
    parts.push(found === end ? readTable(titleLine, rows) : readPairs(rows));
    index = found;
  }
  if (text.length > 0) parts.push({ kind: 'text', lines: text });
  return parts;
}

/** Whether a line has several texts, the first of which begins to the right of the first cell of the next line. */
function isTitleRow(line: string, next: string): boolean {
  const cell = cellsOf(next)[0];
  const titles = cellsOf(line);
  return cell !== undefined && titles.length > 1 && (titles[0]?.start ?? 0) >= cell.end;
}

function cellsOf(line: string): Span[] {
  return [...line.matchAll(/\S+(?: \S+)*/g)].map(({ 0: cell, index }) => ({
    start: index,
    end: index + cell.length,
  }));
}

/**
 * Replaces the dots between a name and its value, as in "Adults ...... 4 euros", by a tab. A number alone is the page of a
 * table of contents.
 */
function withoutLeaders(line: string): string {
  const leaders = / {0,40}\.{3,100} {0,40}(?=[^\s.])(?!\p{Nd}{1,4}\s*$)/u;
  return /^\s*[\p{L}\p{N}]/u.test(line) ? line.replace(leaders, '\t') : line;
}

function expandTabs(line: string): string {
  let expanded = '';
  for (const character of line) {
    expanded +=
      character === '\t'
        ? ' '.repeat(tabWidth + tabWidth - (expanded.length % tabWidth))
        : character;
  }
  return expanded;
}

/** Returns the index after the last line of the table that starts at a line. Returns null if none starts there. */
function tableEnd(lines: readonly string[], start: number): number | null {
  const first = lines[start] ?? '';
  if (cellsOf(first).length < 2 || otherLine.test(first)) return null;
  let gaps = gapsOf(first);
  let end = start + 1;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? '';
    const shared = intersect(gaps, gapsOf(line));
    const inner = innerGaps(shared, lines.slice(start, end + 1), minGap);
    // Only a line that continues the one above has no text before the first gap, and only such a line has one text.
    const isRow = inner.some((gap) => line.slice(gap.end).trim() !== '');
    if (!isRow || otherLine.test(line)) break;
    gaps = shared;
  }
  const table = lines.slice(start, end);
  return table.length > 1 && columnsOf(table).length > 1 ? end : null;
}

/**
 * Returns the index after consecutive lines with a name and a value each, if most of the values start or end at the same
 * place. A long name may reach into the column of the values. Returns `start` if there are fewer than three such lines.
 */
function pairsEnd(lines: readonly string[], start: number): number {
  const isPair = (line: string) => {
    const [name, , ...rest] = cellsOf(line);
    const isName = name !== undefined && name.end - name.start <= maxCellLength;
    return isName && cellsOf(line).length === 2 && rest.length === 0 && !otherLine.test(line);
  };
  let end = start;
  while (end < lines.length && isPair(lines[end] ?? '')) end += 1;
  const values = lines.slice(start, end).flatMap((line) => cellsOf(line)[1] ?? []);
  return values.length >= minPairs && areAligned(values) ? end : start;
}

const minPairs = 3;

function readPairs(lines: readonly string[]): PlainPart {
  const rows = lines.map((line) => cellsOf(line).map((cell) => cellText(line, cell)));
  return { kind: 'table', header: null, rows };
}

/** Matches items of lists, fields such as `Name:  value`, and rows that are separated in another way. */
const otherLine = /^\s*(?:[-*+•]|\d{1,3}[.)]) +\S|^\s*\S[^:\n]{0,60}: {2,}|\|/;

/** Returns the ranges without text, from the start of the line to an open end. */
function gapsOf(line: string): Span[] {
  const cells = cellsOf(line);
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
function innerGaps(gaps: readonly Span[], lines: readonly string[], width: number): Span[] {
  return gaps.filter(({ start, end }) => {
    const sides = lines.filter(
      (line) => line.slice(0, start).trim() !== '' && line.slice(end).trim() !== '',
    );
    const isProse = lines.some(
      (line) => (line.slice(0, start).trim().split(/ {2,}/).at(-1)?.length ?? 0) > maxCellLength,
    );
    return end - start >= width && sides.length >= Math.min(2, lines.length - 1) && !isProse;
  });
}

/** Returns the columns of a table. Leaves out gaps on both sides of which nothing is aligned. */
function columnsOf(lines: readonly string[]): Span[] {
  const gaps = lines.map(gapsOf).reduce(intersect);
  const width = lines.length > 2 ? minGap : minGapOfTwo;
  const inner = innerGaps(gaps, lines, width).filter((gap) => isAligned(gap, lines));
  const starts = [0, ...inner.map(({ end }) => end)];
  return inner.length === 0
    ? []
    : starts.map((start, index) => ({
        start,
        end: inner[index]?.start ?? Number.POSITIVE_INFINITY,
      }));
}

/** Whether most texts after the gap start or end at the same place. */
function isAligned({ end }: Span, lines: readonly string[]): boolean {
  return areAligned(lines.flatMap((line) => cellsOf(line.slice(end))[0] ?? []));
}

function areAligned(cells: readonly Span[]): boolean {
  const most = (places: readonly number[]) =>
    Math.max(0, ...[...Map.groupBy(places, (place) => place).values()].map((same) => same.length));
  const aligned = Math.max(
    most(cells.map(({ start }) => start)),
    most(cells.map(({ end }) => end)),
  );
  return aligned >= 2 && aligned >= minAligned * cells.length;
}

function readTable(titleLine: string | null, lines: readonly string[]): PlainPart {
  const columns = columnsOf(lines);
  const read = lines.map((line) => columns.map(({ start, end }) => cellText(line, { start, end })));
  const isRuled = (read[1] ?? []).every((cell) => /^[-=_]*$/.test(cell));
  const rows = joinWrapped(isRuled ? read.toSpliced(1, 1) : read);
  if (titleLine !== null) return withTitles(titlesOf(titleLine, columns, lines), rows);
  const [first = [], ...rest] = rows;
  if (isRuled || isAboveNumbers(rows)) return { kind: 'table', header: first, rows: rest };
  return { kind: 'table', header: null, rows };
}

function cellText(line: string, { start, end }: Span): string {
  return line.slice(start, end).trim().replace(/ {2,}/g, ' ');
}

/** Returns the title above each column: the text that overlaps it most, or ''. */
function titlesOf(line: string, columns: readonly Span[], lines: readonly string[]): string[] {
  const titles = columns.map(() => '');
  const extents = columns.map(({ start, end }) => {
    const cells = lines.flatMap((row) => cellsOf(row.slice(start, end))[0] ?? []);
    return {
      start: start + Math.min(...cells.map((cell) => cell.start)),
      end: start + Math.max(...cells.map((cell) => cell.end)),
    };
  });
  for (const cell of cellsOf(line)) {
    const overlaps = extents.map(
      ({ start, end }) => Math.min(end, cell.end) - Math.max(start, cell.start),
    );
    const column = overlaps.indexOf(Math.max(...overlaps));
    titles[column] = `${titles[column]} ${line.slice(cell.start, cell.end)}`.trim();
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
