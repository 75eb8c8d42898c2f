import { periodsIn } from '../knowledge/periods.ts';

/** The titles of a table's columns, one row of them or several, the widest spread last. */
export type Titles = readonly (readonly string[])[];

/** What a passage that begins inside a table was told of its columns, at the end of its place in the document. */
export function titlesOfContext(context: string): Titles {
  const [told = ''] = context.split(' › ').slice(-1);
  return told.includes(' | ')
    ? told.split(' · ').flatMap((row) => (row.includes(' | ') ? [cellsOf(row)] : []))
    : [];
}

/** Takes the titles off the rows they stand above; those from before hold on where there are none. */
export function splitTitles(
  rows: readonly string[],
  before: Titles,
): { readonly titles: Titles; readonly rows: readonly string[] } {
  const cells = rows.map(cellsOf);
  const dated = cells.findIndex((row) => !row.every(isPeriod));
  const above = dated > 0 ? dated : hasPlainTitles(cells) ? 1 : 0;
  return above === 0
    ? { titles: before, rows }
    : { titles: cells.slice(0, above), rows: rows.slice(above) };
}

/**
 * A row as `Column: value; …`, or where only the values have titles as `Row; Column: value; …`; null where the titles
 * are not those of this row.
 */
export function titledRow(row: string, titles: Titles): string | null {
  const cells = cellsOf(row);
  const narrowest = titles.at(-1)?.length ?? 0;
  const named = cells.length - narrowest;
  if (narrowest < 1 || cells.length < 2 || named < 0 || named > 1) return null;
  const titleOf = (column: number) =>
    titles
      .filter((row) => narrowest % row.length === 0)
      .map((row) => row[Math.floor((column * row.length) / narrowest)])
      .join(' ');
  const values = cells.slice(named).flatMap((cell, column) => {
    return cell === '' ? [] : [`${titleOf(column)}: ${cell}`];
  });
  return [...cells.slice(0, named), ...values].join('; ');
}

function cellsOf(row: string): string[] {
  return row.split(/ \| |\t/).map((cell) => cell.trim());
}

/** Dates at the head of columns, and what they are the end of. */
function isPeriod(cell: string): boolean {
  return cell.length <= 40 && (periodsIn(cell).length === 1 || /\b(?:ended|ending)$/i.test(cell));
}

function hasPlainTitles([first = [], ...rest]: readonly (readonly string[])[]): boolean {
  return (
    first.length > 1 &&
    rest.length > 0 &&
    rest.every((cells) => cells.length === first.length) &&
    first.every((cell) => /\p{L}/u.test(cell) && !/\p{Nd}{2}/u.test(cell))
  );
}
