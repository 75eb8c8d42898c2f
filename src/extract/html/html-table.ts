import type { HtmlElement } from './html-tree.ts';
import { isOmitted } from './html-visibility.ts';
import { visibleText, visibleTextWithAddresses } from './html-visible-text.ts';

/** Maximum length of a table row. A longer row is page layout and not data. */
const maxRowLength = 2_000;
/** Maximum length of a cell that spans several rows and whose text is repeated in each of them. */
const maxRepeatedLength = 80;
const maxSpannedRows = 1_000;
const maxColumns = 100;

export interface HtmlTableRow {
  /**
   * The texts by column. The text of a cell that spans several rows is repeated in each of them. Empty if the row is
   * page layout.
   */
  readonly texts: readonly string[];
  readonly cells: readonly HtmlElement[];
}

/** Returns the rows of a table, without the rows of tables inside it. */
export function readHtmlTable(table: HtmlElement): HtmlTableRow[] {
  const spans = new Map<number, { text: string; rowsLeft: number }>();
  return rowsOf(table).map((row) => {
    const cells = childrenNamed(row, ['td', 'th']);
    const texts = isLayout(table, cells) ? [] : fillColumns(cells, spans);
    return texts.reduce((sum, text) => sum + text.length, 0) > maxRowLength
      ? { texts: [], cells }
      : { texts, cells };
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
function isLayout({ attributes }: HtmlElement, cells: readonly HtmlElement[]): boolean {
  if (attributes.role === 'presentation' || attributes.role === 'none') return true;
  return cells.length < 2 || cells.some(hasStructure);
}

function hasStructure({ children }: HtmlElement): boolean {
  return children.some(
    (child) =>
      typeof child !== 'string' &&
      (/^(?:table|pre|section|article|h[1-6])$/.test(child.name) || hasStructure(child)),
  );
}

function fillColumns(
  cells: readonly HtmlElement[],
  spans: Map<number, { text: string; rowsLeft: number }>,
): string[] {
  const texts: string[] = [];
  const fillSpanned = () => {
    for (let span = spans.get(texts.length); span !== undefined; span = spans.get(texts.length)) {
      span.rowsLeft -= 1;
      if (span.rowsLeft <= 0) spans.delete(texts.length);
      texts.push(span.text);
    }
  };
  for (const cell of cells) {
    fillSpanned();
    if (texts.length >= maxColumns) break;
    const text = visibleTextWithAddresses(cell);
    const rowsLeft = Math.min(numberOf(cell.attributes.rowspan), maxSpannedRows) - 1;
    const columns = Math.min(numberOf(cell.attributes.colspan), maxColumns - texts.length);
    const label = rowsLeft > 0 ? visibleText(cell) : '';
    for (let column = 0; column < columns; column += 1) {
      const shown = column === 0 ? text : '';
      const repeated = column === 0 && label.length <= maxRepeatedLength ? label : '';
      if (rowsLeft > 0) spans.set(texts.length, { text: repeated, rowsLeft });
      texts.push(shown);
    }
  }
  fillSpanned();
  return texts;
}

function numberOf(value: string | undefined): number {
  return Math.max(1, Math.trunc(Number(value ?? 1)) || 1);
}
