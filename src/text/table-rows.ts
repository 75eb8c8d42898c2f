import { cellForm } from './cell-form.ts';
import { extractPeriods } from './periods.ts';
import { type Cell, namedRow, type TableRow } from './row-text.ts';

/** Column titles of a table, in one or more rows. The last row has the most columns. */
export type ColumnTitles = readonly (readonly string[])[];

/** Parses the column titles from the context of a chunk that starts inside a table (see `tableHeaders`). */
export function parseColumnTitles(context: string): ColumnTitles {
  const [location = ''] = context.split(' › ').slice(-1);
  return location.includes(' | ')
    ? location.split(' · ').flatMap((row) => (row.includes(' | ') ? [cellsOf(row)] : []))
    : [];
}

/**
 * Separates title rows at the start from data rows. If there are no title rows, returns the titles in `before`.
 * `isContinued` means that the rows continue the table to which `before` belongs. In that case, if `before` fits the
 * first row, words in the first row are data and not titles.
 */
export function separateTitleRows(
  rows: readonly string[],
  before: ColumnTitles,
  isContinued = false,
): { readonly titles: ColumnTitles; readonly rows: readonly string[] } {
  const cells = rows.map(cellsOf);
  const dated = cells.findIndex((row) => !row.every(isPeriod));
  const isFitting = isContinued && before.at(-1)?.length === cells[0]?.length;
  const above = dated > 0 ? dated : hasPlainTitles(cells) && !isFitting ? 1 : 0;
  return above === 0
    ? { titles: before, rows }
    : { titles: cells.slice(0, above), rows: rows.slice(above) };
}

/** Returns a row together with its column titles. Returns null if the number of titles does not fit the row. */
export function readTitledRow(row: string, titles: ColumnTitles): TableRow | null {
  const cells = cellsOf(row);
  const narrowest = titles.at(-1)?.length ?? 0;
  const named = cells.length - narrowest;
  if (narrowest < 1 || cells.length < 2 || named < 0 || named > 1) return null;
  const titleOf = (column: number) =>
    titles
      .filter((row) => narrowest % row.length === 0)
      .map((row) => row[Math.floor((column * row.length) / narrowest)])
      .join(' ');
  return namedRow(
    cells.map((value, column) => ({
      title: column < named ? '' : titleOf(column - named),
      value,
    })),
  );
}

/**
 * Reads rows that contain their own titles: `Name: Ann; City: Rome`. Returns null unless several rows start with the
 * same title, because a single such row may be a form.
 */
export function readRecords(rows: readonly string[]): TableRow[] | null {
  const records = rows.map(cellsOfRecord).filter((cells) => cells !== null);
  const title = records[0]?.[0]?.title;
  const areRecords =
    rows.length > 1 &&
    records.length === rows.length &&
    records.every(([first]) => first?.title === title);
  return areRecords ? records.map(namedRow) : null;
}

/** Reads one row that contains its own titles. Returns null if a part of the row has no title. */
export function readRecord(row: string): TableRow | null {
  const cells = cellsOfRecord(row);
  return cells === null ? null : namedRow(cells);
}

function cellsOfRecord(row: string): Cell[] | null {
  const cells = row.split('; ').map((part, index, { length }) => {
    const [, title, value] = /^([^:]{1,80}): (.*)$/u.exec(part) ?? [];
    // The column of the names often has no title.
    const isName = index === 0 && length > 1 && !part.includes(': ') && /\p{L}/u.test(part);
    if (title === undefined || value === undefined)
      return isName ? { title: '', value: part } : null;
    return { title, value };
  });
  const titled = cells.filter((cell) => cell !== null);
  return titled.length === cells.length ? titled : null;
}

function cellsOf(row: string): string[] {
  return ` ${row} `.split(/ \| |\t/).map((cell) => cell.trim());
}

/** Whether a cell of a column title is a date, or text before a date, such as "Year ended". */
function isPeriod(cell: string): boolean {
  return (
    cell.length <= 40 && (extractPeriods(cell).length === 1 || /\b(?:ended|ending)$/i.test(cell))
  );
}

function hasPlainTitles([first = [], ...rest]: readonly (readonly string[])[]): boolean {
  /** Whether a title such as "2 to 10 kg" is not a value like those below it. */
  const isTitleWithNumber = (cell: string, column: number) =>
    /\p{L} /u.test(cell) && rest.every((row) => cellForm(row[column]) !== cellForm(cell));
  if (first.length < 2 || rest.length === 0) return false;
  if (rest.some((cells) => cells.length !== first.length)) return false;
  const isUnnamed = first[0] === '' && rest.every(([name]) => name !== '');
  return (
    (isUnnamed && first.slice(1).every((cell) => /\p{L}/u.test(cell))) ||
    first.every(
      (cell, index) =>
        (index === 0 && cell === '') ||
        (/\p{L}/u.test(cell) && (!/\p{Nd}{2}/u.test(cell) || isTitleWithNumber(cell, index))),
    )
  );
}
