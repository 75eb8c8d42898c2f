import { ExtractError } from '../extracted-text.ts';
import type { OfficePackage } from '../office/office-package.ts';
import { childElements, findElement, type XmlElement } from '../xml-tree.ts';
import { fillMergedCells, type MergedRange } from './sheet-merges.ts';
import type { SheetRow } from './sheet-tables.ts';
import type { CellFormatter } from './xlsx-cells.ts';
import { addLinkAddresses, withFormulaAddress } from './xlsx-links.ts';
import { columnNumber, rowNumber } from './xlsx-references.ts';

export interface Sheet {
  /** The rows that contain text. Hidden rows and columns are left out. */
  readonly rows: SheetRow[];
  readonly hiddenRows: number;
  readonly hiddenColumns: number;
  /** Number of formulas without a stored result. */
  readonly unknownResults: number;
}

/**
 * Reads a worksheet. Includes rows and columns that a filter or an outline hides, because they are hidden only in the
 * current view. Returns null if the file does not contain the worksheet.
 * @throws ExtractError TOO_LARGE when the cells are longer than `maxCharacters`.
 */
export async function readSheet(
  parts: OfficePackage,
  part: string,
  format: CellFormatter,
  maxCharacters: number,
): Promise<Sheet | null> {
  const rows: SheetRow[] = [];
  let hiddenRows = 0;
  let unknownResults = 0;
  let characters = 0;
  let lastNumber = 0;
  let isFiltered = false;
  const addRow = (row: XmlElement) => {
    lastNumber = Number(row.attributes.r) || lastNumber + 1;
    const cells = readCells(row, format);
    const isShown = !isHidden(row) || isFiltered;
    if (isShown) unknownResults += countUnknownResults(row);
    if (cells.size === 0) return;
    if (!isShown) {
      hiddenRows += 1;
      return;
    }
    for (const text of cells.values()) characters += text.length;
    if (characters > maxCharacters) {
      throw new ExtractError('TOO_LARGE', `A sheet is longer than ${maxCharacters} characters.`);
    }
    rows.push({ number: lastNumber, cells, spans: new Map() });
  };
  const sheet = await parts.readPart(part, (element) => {
    if (element.name === 'sheetPr')
      isFiltered = /^(?:1|true)$/.test(element.attributes.filterMode ?? '');
    if (element.name !== 'row') return false;
    addRow(element);
    return true;
  });
  if (sheet === null) return null;
  fillMergedCells(rows, mergedRanges(sheet));
  addLinkAddresses(rows, sheet, await parts.linksOf(part));
  const hiddenColumns = removeColumns(rows, hiddenRanges(sheet));
  return {
    rows: rows.filter(({ cells }) => cells.size > 0),
    hiddenRows,
    hiddenColumns,
    unknownResults,
  };
}

/** Counts formulas without a result. Programs that do not calculate write such formulas. */
function countUnknownResults(row: XmlElement): number {
  return childElements(row, 'c').filter(
    (cell) => findElement(cell, 'f') !== undefined && findElement(cell, 'v') === undefined,
  ).length;
}

function isHidden({ attributes: { hidden = '0', outlineLevel = '0' } }: XmlElement): boolean {
  return /^(?:1|true)$/.test(hidden) && outlineLevel === '0';
}

function readCells(row: XmlElement, format: CellFormatter): Map<number, string> {
  const cells = new Map<number, string>();
  let column = 0;
  for (const cell of childElements(row, 'c')) {
    column = columnNumber(cell.attributes.r ?? '') ?? column + 1;
    const text = withFormulaAddress(format(cell), cell);
    if (text !== '') cells.set(column, text);
  }
  return cells;
}

function mergedRanges(sheet: XmlElement): MergedRange[] {
  const merges = childElements(findElement(sheet, 'mergeCells'), 'mergeCell');
  return merges.flatMap(({ attributes }) => {
    const [from = '', to = ''] = (attributes.ref ?? '').split(':');
    const [firstColumn, lastColumn] = [columnNumber(from), columnNumber(to)];
    const [firstRow, lastRow] = [rowNumber(from), rowNumber(to)];
    if (firstColumn === null || lastColumn === null || !firstRow || !lastRow) return [];
    return [{ firstColumn, lastColumn, firstRow, lastRow }];
  });
}

function hiddenRanges(sheet: XmlElement): { from: number; to: number }[] {
  return childElements(findElement(sheet, 'cols'), 'col')
    .filter(isHidden)
    .map(({ attributes: { min, max } }) => ({ from: Number(min), to: Number(max) }));
}

/** Removes the given columns from the rows. Returns how many of these columns contain text. */
function removeColumns(
  rows: readonly SheetRow[],
  ranges: readonly { readonly from: number; readonly to: number }[],
): number {
  const hidden = new Set<number>();
  for (const { from, to } of ranges) {
    for (let column = from; column <= Math.min(to, maxColumns); column += 1) hidden.add(column);
  }
  const removed = new Set<number>();
  for (const { cells } of rows) {
    for (const column of cells.keys()) {
      if (!hidden.has(column)) continue;
      cells.delete(column);
      removed.add(column);
    }
  }
  return removed.size;
}

/** Maximum number of columns of a sheet in Excel. */
const maxColumns = 16_384;
