import type { SheetRow } from './sheet-tables.ts';

/** A range of merged cells. Rows and columns count from 1. The last row and column belong to the range. */
export interface MergedRange {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

/** Maximum length of a merged cell that counts as a label. A label is repeated in all rows that its cell spans. */
export const maxRepeatedCellLength = 80;
/** Maximum number of cells and rows that are visited for all merged ranges of a sheet together. */
const maxVisits = 500_000;

/** Repeats the labels of cells that span several rows. Stores in `spans` which cells span several columns. */
export function repeatMergedLabels(
  rows: readonly SheetRow[],
  ranges: readonly MergedRange[],
): void {
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
