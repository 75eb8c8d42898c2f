import type { Cell, TableRow } from '../../text/row-text.ts';
import type { Candidate } from './candidate.ts';

/** A candidate that is a row of a table. */
export type RowCandidate = Candidate & { readonly row: TableRow };

/** The rows of a table that a question asks for by their values. */
export interface AskedRows {
  readonly rows: readonly RowCandidate[];
  /** Whether the question asks for such rows, but the sources may lack a part of the table. */
  readonly isUndecided: boolean;
}

export const noRows: AskedRows = { rows: [], isUndecided: false };

/** Returns all cells of a row, also the one that names it. */
export function cellsOf({ name, nameTitle = '', cells }: TableRow): readonly Cell[] {
  return name === '' ? cells : [{ title: nameTitle, value: name }, ...cells];
}

/** Returns the value of a row in the column with this title. */
export function cellValue(row: TableRow, title: string): string | undefined {
  return cellsOf(row).find((cell) => cell.title === title)?.value;
}
