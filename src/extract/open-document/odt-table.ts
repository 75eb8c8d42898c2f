import { cleanLine } from '../clean-text.ts';
import { createCellGrid, type GridRow, type SpanningCell } from '../tables/cell-grid.ts';
import { childElements, type XmlElement } from '../xml-tree.ts';
import { readOdtInline } from './odt-inline.ts';
import type { OdtStyles } from './odt-styles.ts';

export interface OdtTableRow {
  /** The row in the columns of its table. Null if the row is page layout: one cell with blocks, or very long cells. */
  readonly placed: GridRow | null;
  readonly cells: readonly XmlElement[];
}

/** Maximum length of a table row in UTF-16 units. A longer row is page layout. */
const maxRowLength = 2_000;
const maxRepeatedCells = 100;

/** Returns the rows of a table. A joined cell covers the hidden cells below it and to its right. */
export function odtTableRows(table: XmlElement, styles: OdtStyles): OdtTableRow[] {
  const grid = createCellGrid();
  return rowsOf(table).map((row) => {
    const cells = childElements(row).filter(({ name }) => name === 'table-cell');
    const placed = grid.addSpanning(
      cells.flatMap((cell, index) => spanningCells(cell, styles, index === cells.length - 1)),
    );
    const isFrame = cells.length === 1 && childElements(cells[0]).length > 1;
    const length = placed.texts.reduce((sum, text) => sum + text.length, 0);
    return { placed: isFrame || length > maxRowLength ? null : placed, cells };
  });
}

/** Returns a cell as often as it is repeated. Leaves out the empty cells at the end of a row. */
function spanningCells(cell: XmlElement, styles: OdtStyles, isLast: boolean): SpanningCell[] {
  const text = cellText(cell, styles);
  const count = (name: string) => Math.max(1, Number(cell.attributes[name] ?? 1) || 1);
  const [columns, rows] = [count('number-columns-spanned'), count('number-rows-spanned')];
  if (text === '' && isLast && count('number-columns-repeated') > 1) return [];
  const repeated = Math.min(maxRepeatedCells, count('number-columns-repeated'));
  return Array.from({ length: repeated }, () => ({ text, label: text, columns, rows }));
}

function rowsOf(parent: XmlElement): XmlElement[] {
  return childElements(parent).flatMap((child) => {
    if (child.name === 'table-row') return [child];
    return /^table-(?:header-rows|rows|row-group)$/.test(child.name) ? rowsOf(child) : [];
  });
}

/** Returns the text of a cell on one line. Rows of a table in the cell are separated by semicolons. */
function cellText(cell: XmlElement, styles: OdtStyles): string {
  const texts = childElements(cell).map((element) => blockText(element, styles));
  return texts.filter(Boolean).join(' ') || storedValue(cell);
}

/** Returns the stored value of a cell that has no text. Programs that do not format values write such cells. */
function storedValue({ attributes }: XmlElement): string {
  const { value = '', currency = '' } = attributes;
  switch (attributes['value-type']) {
    case 'string':
      return cleanLine(attributes['string-value'] ?? '');
    case 'date':
      return (attributes['date-value'] ?? '').replace('T', ' ');
    case 'boolean':
      return (attributes['boolean-value'] ?? '').toUpperCase();
    case 'percentage':
      return value === '' ? '' : `${Number((Number(value) * 100).toPrecision(12))}%`;
    default:
      return `${value} ${currency}`.trim();
  }
}

function blockText(element: XmlElement, styles: OdtStyles): string {
  const textOfCell = (cell: XmlElement) => cellText(cell, styles);
  if (element.name === 'p' || element.name === 'h') {
    const { text, blocks } = readOdtInline(element, styles);
    return [cleanLine(text), ...blocks.map(textOfCell)].filter(Boolean).join(' ');
  }
  if (element.name !== 'table') return textOfCell(element);
  return rowsOf(element)
    .map((row) => childElements(row).map(textOfCell).filter(Boolean).join(', '))
    .filter(Boolean)
    .join('; ');
}
