import { ExtractError } from './extracted-text.ts';
import type { OfficePackage } from './office-package.ts';
import { type MergedRange, repeatMergedLabels } from './sheet-merges.ts';
import type { SheetRow } from './sheet-tables.ts';
import type { CellFormatter } from './xlsx-cells.ts';
import { addLinkAddresses, withFormulaAddress } from './xlsx-links.ts';
import { columnNumber, rowNumber } from './xlsx-references.ts';
import { childElements, findElement, type XmlElement } from './xml-tree.ts';

/**
 * Returns the rows of a worksheet that contain text, without hidden rows and columns. Rows and columns that are hidden
 * by a filter or in an outline are a view, so they are included.
 * @throws ExtractError TOO_LARGE when the cells are longer than `maxCharacters`.
 */
export async function readSheet(
  parts: OfficePackage,
  part: string,
  format: CellFormatter,
  maxCharacters: number,
): Promise<SheetRow[]> {
  const rows: SheetRow[] = [];
  let characters = 0;
  let lastNumber = 0;
  let isFiltered = false;
  const addRow = (row: XmlElement) => {
    lastNumber = Number(row.attributes.r) || lastNumber + 1;
    if (isHidden(row) && !isFiltered) return;
    const cells = readCells(row, format);
    if (cells.size === 0) return;
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
  repeatMergedLabels(rows, mergedRanges(sheet));
  addLinkAddresses(rows, sheet, await parts.linksOf(part));
  return withoutColumns(rows, hiddenColumns(sheet));
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

function mergedRanges(sheet: XmlElement | null): MergedRange[] {
  const merges = childElements(findElement(sheet ?? undefined, 'mergeCells'), 'mergeCell');
  return merges.flatMap(({ attributes }) => {
    const [from = '', to = ''] = (attributes.ref ?? '').split(':');
    const [firstColumn, lastColumn] = [columnNumber(from), columnNumber(to)];
    const [firstRow, lastRow] = [rowNumber(from), rowNumber(to)];
    if (firstColumn === null || lastColumn === null || !firstRow || !lastRow) return [];
    return [{ firstColumn, lastColumn, firstRow, lastRow }];
  });
}

function hiddenColumns(sheet: XmlElement | null): { from: number; to: number }[] {
  return childElements(findElement(sheet ?? undefined, 'cols'), 'col')
    .filter(isHidden)
    .map(({ attributes: { min, max } }) => ({ from: Number(min), to: Number(max) }));
}

function withoutColumns(
  rows: readonly SheetRow[],
  ranges: readonly { readonly from: number; readonly to: number }[],
): SheetRow[] {
  const hidden = new Set<number>();
  for (const { from, to } of ranges) {
    for (let column = from; column <= Math.min(to, maxColumns); column += 1) hidden.add(column);
  }
  for (const { cells } of rows) {
    for (const column of cells.keys()) if (hidden.has(column)) cells.delete(column);
  }
  return rows.filter(({ cells }) => cells.size > 0);
}

/** Maximum number of columns of a sheet in Excel. */
const maxColumns = 16_384;
