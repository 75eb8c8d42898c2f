import { readFieldText } from '../records/field-text.ts';
import type { BlockSink } from '../text-builder.ts';
import { addRows, type Row, splitHeader } from './table-records.ts';

/** A row of a sheet that contains text. Rows and columns count from 1. */
export interface SheetRow {
  readonly number: number;
  /** Texts by column. */
  readonly cells: Map<number, string>;
  /** Cells that span several columns: maps the first column of the cell to its last column. */
  readonly spans: Map<number, number>;
}

/** Names of columns, by the number of the column. */
type ColumnNames = ReadonlyMap<number, string>;

/** Maximum ratio of empty to filled cells in a table. A region with more empty cells has no common columns. */
const maxSparsity = 50;

/**
 * Adds the tables of a sheet. Tables are separated by empty rows. A table without its own header continues the table
 * above, if that table has names for all of its columns. A cell that spans the whole table is a label for the rows
 * below it.
 */
export function addSheetTables(builder: BlockSink, rows: readonly SheetRow[]): void {
  let above: ColumnNames = new Map();
  for (const region of splitRegions(rows)) {
    const columns = usedColumns(region);
    if (columns.length * region.length > maxSparsity * (countCells(region) + columns.length)) {
      for (const { cells } of region) addRows(builder, [[...cells.values()]], null);
      continue;
    }
    const table = joinHeaderRows(region, columns);
    const { titles, header, rows } = splitHeader(table.map(({ cells }) => cells));
    for (const title of titles) addLine(builder, title);
    const names = header ?? columns.map((column) => above.get(column) ?? '');
    const isContinued = header === null && columns.length > 1 && names.every(Boolean);
    if (header !== null) above = new Map(columns.map((column, at) => [column, names[at] ?? '']));
    const labels = new Set(table.filter(({ isLabel }) => isLabel).map(({ cells }) => cells));
    const isLine = (row: Row) => labels.has(row) || columns.length === 1;
    for (const group of groupBy(rows, isLine)) {
      if (group.every(isLine)) for (const row of group) addLine(builder, row);
      else addRows(builder, group, header !== null || isContinued ? names : null);
    }
  }
}

function addLine(builder: BlockSink, row: Row): void {
  const texts = row.map((cell) => readFieldText('', cell).text);
  builder.add('paragraph', texts.filter(Boolean).join(' '));
}

/** Splits the rows wherever `isLine` changes. */
function groupBy(rows: readonly Row[], isLine: (row: Row) => boolean): Row[][] {
  const groups: Row[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    if (group?.[0] !== undefined && isLine(group[0]) === isLine(row)) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** Splits the rows at empty rows. Does not split at a single empty row directly below column names. */
function splitRegions(rows: readonly SheetRow[]): SheetRow[][] {
  const regions: SheetRow[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    const region = regions.at(-1);
    const isBelowNames = region?.length === 1 && (region[0]?.cells.size ?? 0) > 1;
    const isSame = row.number - last <= (isBelowNames ? 2 : 1);
    if (region !== undefined && isSame) region.push(row);
    else regions.push([row]);
    last = row.number;
  }
  return regions;
}

function usedColumns(region: readonly SheetRow[]): number[] {
  const used = new Set<number>();
  for (const { cells } of region) for (const column of cells.keys()) used.add(column);
  return [...used].sort((a, b) => a - b);
}

function countCells(region: readonly SheetRow[]): number {
  return region.reduce((sum, { cells }) => sum + cells.size, 0);
}

interface TableRow {
  readonly cells: Row;
  /** Whether the row consists of one cell that spans most of the table. */
  readonly isLabel: boolean;
}

/**
 * Returns the rows of a region with one text per column. If cells of a row span several columns, they are titles for
 * the column names in the next row. Each title is added to its column names: `2025` above `Price` becomes `2025 Price`.
 */
function joinHeaderRows(region: readonly SheetRow[], columns: readonly number[]): TableRow[] {
  const table: TableRow[] = [];
  for (const [index, row] of region.entries()) {
    const title = region[index - 1];
    if (title !== undefined && index <= maxTitleRows && isTitleOfNames(title, row)) {
      const names = columns.map((column) => [
        spanningText(title, column),
        row.cells.get(column) ?? '',
      ]);
      const cells = names.map((parts) => [...new Set(parts)].filter(Boolean).join(' '));
      table[table.length - 1] = { cells, isLabel: false };
    } else {
      const cells = columns.map((column) => row.cells.get(column) ?? '');
      table.push({ cells, isLabel: isLabel(row, columns.length) });
    }
  }
  return table;
}

/** Maximum number of rows above the row with the titles of column names. */
const maxTitleRows = 4;

function isTitleOfNames(title: SheetRow, { cells, spans }: SheetRow): boolean {
  if (title.spans.size === 0 || title.cells.size < 2 || spans.size > 0) return false;
  return [...cells.values()].every((text) => /\p{L}|^\d{4}$/u.test(text));
}

function isLabel({ cells, spans }: SheetRow, columnCount: number): boolean {
  const [span] = spans;
  if (cells.size !== 1 || span === undefined) return false;
  const [first, last] = span;
  return (last - first + 1) * 2 > columnCount;
}

function spanningText({ cells, spans }: SheetRow, column: number): string {
  const own = cells.get(column);
  if (own !== undefined) return own;
  for (const [first, last] of spans) {
    if (first < column && column <= last) return cells.get(first) ?? '';
  }
  return '';
}
