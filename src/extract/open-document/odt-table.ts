import { cleanLine } from '../clean-text.ts';
import { maxRepeatedCellLength } from '../tables/sheet-merges.ts';
import { childElements, type XmlElement } from '../xml-tree.ts';
import { readOdtInline } from './odt-inline.ts';
import type { OdtStyles } from './odt-styles.ts';

export interface OdtTableRow {
  /** The text of each cell. Null if the row is page layout: a single cell with several blocks, or very long cells. */
  readonly texts: readonly string[] | null;
  readonly cells: readonly XmlElement[];
}

/** Maximum length of a table row in UTF-16 units. A longer row is page layout. */
const maxRowLength = 2_000;
const maxRepeatedCells = 100;

/** Returns the rows of a table. If cells of several rows are merged, the label is repeated in each row. */
export function odtTableRows(table: XmlElement, styles: OdtStyles): OdtTableRow[] {
  const labels = new Map<number, string>();
  return rowsOf(table).map((row) => {
    const cells = childElements(row).filter(({ name }) => /^(?:covered-)?table-cell$/.test(name));
    const texts = cells.flatMap((cell, column) => {
      const own = cellText(cell, styles);
      if (cell.name === 'covered-table-cell') return [own || (labels.get(column) ?? '')];
      const isLabel = Number(cell.attributes['number-rows-spanned'] ?? 1) > 1;
      labels.set(column, isLabel && own.length <= maxRepeatedCellLength ? own : '');
      const repeated = Number(cell.attributes['number-columns-repeated'] ?? 1) || 1;
      const count = own === '' ? 1 : Math.max(1, Math.min(maxRepeatedCells, repeated));
      return Array.from({ length: count }, () => own);
    });
    const isFrame = cells.length === 1 && childElements(cells[0]).length > 1;
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    return { texts: isFrame || length > maxRowLength ? null : texts, cells };
  });
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
