import { readFieldText } from '../records/field-text.ts';
import type { BlockSink } from '../text-builder.ts';
import type { GridRow } from './cell-grid.ts';
import { addFieldRows } from './field-rows.ts';
import { joinHeaderRows } from './header-rows.ts';
import { type Row, splitHeader } from './table-records.ts';

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
      for (const { cells } of region) addFieldRows(builder, [[...cells.values()]], null);
      continue;
    }
    const table = region.map((row) => placeRow(row, columns));
    const { titles, header, rows } = splitTable(table);
    for (const { texts } of titles) addLine(builder, texts);
    const names = header ?? columns.map((column) => above.get(column) ?? '');
    const isContinued = header === null && columns.length > 1 && names.every(Boolean);
    if (header !== null) above = new Map(columns.map((column, at) => [column, names[at] ?? '']));
    const isLine = ({ isLabel }: PlacedRow) => isLabel || columns.length === 1;
    for (const group of groupBy(rows, isLine)) {
      const texts = group.map((row) => row.texts);
      if (group.every(isLine)) for (const line of texts) addLine(builder, line);
      else addFieldRows(builder, texts, header !== null || isContinued ? names : null);
    }
  }
}

/** Splits the rows wherever `isLine` changes. */
function groupBy(rows: readonly PlacedRow[], isLine: (row: PlacedRow) => boolean): PlacedRow[][] {
  const groups: PlacedRow[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    if (group?.[0] !== undefined && isLine(group[0]) === isLine(row)) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

function addLine(builder: BlockSink, row: Row): void {
  const texts = row.map((cell) => readFieldText('', cell).text);
  builder.add('paragraph', texts.filter(Boolean).join(' '));
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

/** Returns the columns that contain text, in ascending order. */
export function usedColumns(region: readonly SheetRow[]): number[] {
  const used = new Set<number>();
  for (const { cells } of region) for (const column of cells.keys()) used.add(column);
  return [...used].sort((a, b) => a - b);
}

function countCells(region: readonly SheetRow[]): number {
  return region.reduce((sum, { cells }) => sum + cells.size, 0);
}

interface PlacedRow extends GridRow {
  /** Whether the row consists of one cell that covers most of the table. */
  readonly isLabel: boolean;
}

/** Returns a row with one text per column of its table. */
function placeRow(row: SheetRow, columns: readonly number[]): PlacedRow {
  const texts = columns.map((column) => row.cells.get(column) ?? '');
  const spans = new Map<number, number>();
  if (row.spans.size > 0) {
    const indexes = new Map(columns.map((column, index) => [column, index]));
    for (const [from, to] of row.spans) {
      const first = indexes.get(from);
      if (first === undefined) continue;
      let last = first;
      while ((columns[last + 1] ?? Number.POSITIVE_INFINITY) <= to) last += 1;
      if (last > first) spans.set(first, last);
    }
  }
  return { texts, spans, isLabel: isLabel(row, columns.length) };
}

interface SplitTable {
  readonly titles: readonly PlacedRow[];
  readonly header: Row | null;
  readonly rows: readonly PlacedRow[];
}

/** Separates the titles and the column names of a table from its rows. */
function splitTable(table: readonly PlacedRow[]): SplitTable {
  const isTitle = ({ texts, isLabel }: PlacedRow) => isLabel || countFilled(texts) < 2;
  const start = table.findIndex((row) => !isTitle(row));
  const joined = start < 0 || start > maxTitleRows ? null : joinHeaderRows(table, start);
  if (joined !== null) {
    return { titles: table.slice(0, start), header: joined.names, rows: table.slice(joined.end) };
  }
  const labels = Math.max(
    0,
    Math.min(
      maxTitleRows,
      table.findIndex(({ isLabel }) => !isLabel),
    ),
  );
  const split = splitHeader(table.slice(labels).map(({ texts }) => texts));
  const first = labels + split.titles.length;
  const end = first + (split.header === null ? 0 : 1);
  return { titles: table.slice(0, first), header: split.header, rows: table.slice(end) };
}

/** Maximum number of rows above the row with the titles of column names. */
const maxTitleRows = 4;

function countFilled(texts: Row): number {
  return texts.filter((text) => text !== '').length;
}

function isLabel({ cells, spans }: SheetRow, columnCount: number): boolean {
  const [span] = spans;
  if (cells.size !== 1 || span === undefined) return false;
  const [first, last] = span;
  return (last - first + 1) * 2 > columnCount;
}
