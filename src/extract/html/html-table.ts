import { createCellGrid, type SpanningCell } from '../tables/cell-grid.ts';
import { type TableLine, tableLines } from '../tables/table-lines.ts';
import type { HtmlElement } from './html-tree.ts';
import { isOmitted } from './html-visibility.ts';
import { visibleText, visibleTextWithAddresses } from './html-visible-text.ts';

/** Maximum length of a table row. A longer row is page layout and not data. */
const maxRowLength = 2_000;

export interface HtmlTableRow {
  readonly cells: readonly HtmlElement[];
  /** Whether the row is page layout, so that its cells are blocks. */
  readonly isLayout: boolean;
  /** Null if the row is page layout, or if it belongs to the column names below it. */
  readonly line: TableLine | null;
}

/** Returns the rows of a table, without the rows of tables inside it. */
export function readHtmlTable(table: HtmlElement): HtmlTableRow[] {
  const grid = createCellGrid();
  const rows = rowsOf(table).map((row) => {
    const cells = childrenNamed(row, ['td', 'th']);
    const isLayout = isPageLayout(table, cells, grid.coveredColumns());
    const placed = grid.addSpanning(cells.flatMap((cell) => spanningCells(cell, isLayout)));
    const length = placed.texts.reduce((sum, text) => sum + text.length, 0);
    return { cells, placed, isLayout: isLayout || length > maxRowLength };
  });
  const lines = tableLines(rows.flatMap(({ isLayout, placed }) => (isLayout ? [] : [placed])));
  let next = 0;
  return rows.map(({ cells, isLayout }) => {
    const line = isLayout ? null : (lines[next] ?? null);
    if (!isLayout) next += 1;
    return { cells, isLayout, line };
  });
}

/** Returns the title of a table, or ''. */
export function tableCaption(table: HtmlElement): string {
  const [caption] = childrenNamed(table, ['caption']);
  return caption === undefined ? '' : visibleText(caption);
}

function rowsOf(table: HtmlElement): HtmlElement[] {
  return childrenNamed(table, ['tr', 'thead', 'tbody', 'tfoot']).flatMap((child) =>
    child.name === 'tr' ? [child] : childrenNamed(child, ['tr']),
  );
}

function childrenNamed({ children }: HtmlElement, names: readonly string[]): HtmlElement[] {
  return children.filter(
    (child): child is HtmlElement =>
      typeof child !== 'string' && names.includes(child.name) && !isOmitted(child),
  );
}

/**
 * Whether the row is page layout: the table has the role presentation, or the row has only one cell or cells with
 * headings or tables.
 */
function isPageLayout(
  { attributes }: HtmlElement,
  cells: readonly HtmlElement[],
  coveredColumns: number,
): boolean {
  if (attributes.role === 'presentation' || attributes.role === 'none') return true;
  const isSingle = cells.length === 0 || cells.length + coveredColumns < 2;
  return isSingle || cells.some(hasStructure);
}

function hasStructure({ children }: HtmlElement): boolean {
  return children.some(
    (child) =>
      typeof child !== 'string' &&
      (/^(?:table|pre|section|article|h[1-6])$/.test(child.name) || hasStructure(child)),
  );
}

/**
 * Returns a cell with the columns and rows that it covers. Excel also writes `colspan` for text that only flows over
 * empty cells; these stay empty.
 */
function spanningCells(cell: HtmlElement, isLayout: boolean): SpanningCell[] {
  const { colspan, rowspan, style = '' } = cell.attributes;
  const [columns, rows] = [numberOf(colspan), numberOf(rowspan)];
  const text = isLayout ? '' : visibleTextWithAddresses(cell);
  const label = rows > 1 ? visibleText(cell) : '';
  if (!/mso-ignore:\s?colspan/i.test(style)) return [{ text, label, columns, rows }];
  const empty = { text: '', label: '', columns: 1, rows };
  const others = Math.min(columns, maxEmptyCells) - 1;
  return [{ text, label, columns: 1, rows }, ...Array.from({ length: others }, () => empty)];
}

const maxEmptyCells = 100;

function numberOf(value: string | undefined): number {
  return Math.max(1, Math.trunc(Number(value ?? 1)) || 1);
}
