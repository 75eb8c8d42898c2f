import { type GridRow, maxRepeatedCellLength } from './cell-grid.ts';
import { joinHeaderRows } from './header-rows.ts';
import { renderRow, splitHeader } from './table-records.ts';

/** A line of a table. */
export type TableLine =
  /** A cell over the whole width: the caption of the table, or the label of the rows below it. */
  | { readonly kind: 'label'; readonly text: string }
  /** The column names of rows that repeat them. */
  | { readonly kind: 'names'; readonly cells: readonly string[] }
  | {
      readonly kind: 'row';
      readonly cells: readonly string[];
      /** The names of the columns if each row repeats them, otherwise null. */
      readonly names: readonly string[] | null;
    };

/** Number of columns from which each row repeats the names of its columns. People lose track of them, and so do models. */
const minWideColumns = 9;

/**
 * Returns a line for each row of a table, or null for a row that belongs to the column names below it. A joined cell
 * fills all columns that it covers. Rows repeat the column names if the table is wide or its names have several rows.
 */
export function tableLines(rows: readonly GridRow[]): (TableLine | null)[] {
  const width = rows.reduce((most, { texts }) => Math.max(most, texts.length), 0);
  const isWhole = rows.some(({ texts, spans }) => spans.size === 0 && texts.length === width);
  const filled = rows.map((row) => (isWhole && !isLabel(row, width) ? fillColumns(row) : row));
  const first = rows.findIndex((row) => !isLabel(row, width));
  const header = first < 0 ? null : (joinHeaderRows(filled, first) ?? wideHeader(filled, first));
  return filled.map((row, index) => {
    if (isLabel(row, width)) return { kind: 'label', text: row.texts[0] ?? '' };
    if (header === null || index >= header.end) {
      return { kind: 'row', cells: row.texts, names: header?.names ?? null };
    }
    return index === header.end - 1 ? { kind: 'names', cells: header.names } : null;
  });
}

/** The block of a table row. */
export interface RowBlock {
  readonly kind: 'paragraph' | 'table-row';
  readonly text: string;
}

/**
 * Returns the block of each row, or null for a row with column names that the other rows repeat. Empty cells are kept
 * only below a row without empty cells, because such a row may contain the column names.
 */
export function rowBlocks(rows: readonly GridRow[]): (RowBlock | null)[] {
  const lines = tableLines(rows);
  const first = lines.find((line) => line?.kind === 'row');
  const hasTitles = first?.kind === 'row' && first.cells.every((cell) => cell !== '');
  return lines.map((line) => {
    if (line === null || line.kind === 'names') return null;
    if (line.kind === 'label') return { kind: 'paragraph', text: line.text };
    const { cells, names } = line;
    if (names !== null) return { kind: 'table-row', text: renderRow(cells, names) };
    const shown = hasTitles && cells.some(Boolean) ? cells : cells.filter(Boolean);
    return { kind: 'table-row', text: shown.join(' | ') };
  });
}

function isLabel({ texts, spans }: GridRow, width: number): boolean {
  return width > 1 && spans.get(0) === width - 1 && texts.slice(1).every((text) => text === '');
}

function fillColumns(row: GridRow): GridRow {
  const texts = [...row.texts];
  for (const [first, last] of row.spans) {
    const text = texts[first] ?? '';
    if (text.length <= maxRepeatedCellLength) {
      for (let at = first + 1; at <= last; at += 1) texts[at] ||= text;
    }
  }
  return { ...row, texts };
}

function wideHeader(rows: readonly GridRow[], first: number) {
  const table = rows.slice(first).map(({ texts }) => texts);
  if ((table[0]?.length ?? 0) < minWideColumns) return null;
  const { titles, header } = splitHeader(table);
  return header === null || titles.length > 0 ? null : { names: header, end: first + 1 };
}
