import type { Row } from '../tables/table-records.ts';
import { type Cells, columnsOf, type Span } from './aligned-columns.ts';

export interface PlainTable {
  readonly kind: 'table';
  readonly header: Row | null;
  readonly rows: readonly Row[];
}

/** Returns the table of lines whose columns are aligned. `titles` are the cells of the line of titles above them. */
export function readPlainTable(titles: Cells | null, lines: readonly Cells[]): PlainTable {
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
function withTitles(titles: Row, rows: readonly Row[]): PlainTable {
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
