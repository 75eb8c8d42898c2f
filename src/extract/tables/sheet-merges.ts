import { maxRepeatedCellLength } from './cell-grid.ts';
import { type SheetRow, usedColumns } from './sheet-tables.ts';

/** A range of merged cells. Rows and columns count from 1. The last row and column belong to the range. */
export interface MergedRange {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

/** Maximum number of cells and rows that are visited for all merged ranges of a sheet together. */
const maxVisits = 500_000;

/**
 * Fills the merged ranges of a sheet with their labels, and stores in `spans` which cells cover several columns. Fills
 * only columns that other rows use. A row whose only text is in a cell over several columns is not filled, because this
 * text is a title.
 */
export function fillMergedCells(rows: readonly SheetRow[], ranges: readonly MergedRange[]): void {
  const used = usedColumns(rows);
  repeatDown(rows, ranges);
  let visits = 0;
  for (const { cells, spans } of rows) {
    if (cells.size < 2) continue;
    for (const [first, last] of spans) {
      const label = cells.get(first) ?? '';
      if (label === '' || label.length > maxRepeatedCellLength) continue;
      for (let at = indexAfter(used, first); visits < maxVisits; at += 1) {
        visits += 1;
        const column = used[at];
        if (column === undefined || column > last) break;
        if (!cells.has(column)) cells.set(column, label);
      }
    }
  }
}

function repeatDown(rows: readonly SheetRow[], ranges: readonly MergedRange[]): void {
  const indexes = new Map(rows.map(({ number }, index) => [number, index]));
  let visits = 0;
  for (const { firstRow, lastRow, firstColumn, lastColumn } of ranges) {
    const start = indexes.get(firstRow);
    const label = start === undefined ? undefined : rows[start]?.cells.get(firstColumn);
    if (start === undefined || label === undefined) continue;
    for (let index = start; visits < maxVisits; index += 1) {
      visits += 1;
      const row = rows[index];
      if (row === undefined || row.number > lastRow) break;
      if (lastColumn > firstColumn) row.spans.set(firstColumn, lastColumn);
      if (index > start && label.length <= maxRepeatedCellLength && !row.cells.has(firstColumn)) {
        row.cells.set(firstColumn, label);
      }
    }
  }
}

/** Returns the index of the first number that is greater than `value`. */
function indexAfter(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
