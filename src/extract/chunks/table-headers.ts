import { cellForm } from '../../text/cell-form.ts';
import type { Block, ExtractedText } from '../extracted-text.ts';

/** Maximum UTF-16 units of a table's header text with its caption. Of a longer text, the caption is left out. */
const maxHeaderLength = 200;
/** Maximum UTF-16 units of the titles alone. A row with longer cells is no header. */
const maxTitlesLength = 300;
const maxCaptionLength = 120;
/**
 * Maximum UTF-16 units of a paragraph that labels a group of rows. A longer paragraph means that the table has ended.
 */
const maxLabelLength = 80;
const maxHeaderRows = 3;

/**
 * Returns one header text per block. A row of a table is hard to understand without its caption, column titles and row
 * group, so its header text contains these, such as `(In millions) · 2023 | 2022 · Cost of sales:`. For blocks outside
 * tables, the text is ''. Recognizes only rows of the form `cell | cell`, because PDF extraction produces no other
 * table markup.
 */
export function tableHeaders({ text, blocks }: ExtractedText): string[] {
  let table: Table | null = null;
  let label = '';
  return blocks.map((block, index) => {
    const content = text.slice(block.start, block.end);
    if (block.kind !== 'table-row') {
      const isLabel = block.kind === 'paragraph' && content.length <= maxLabelLength;
      if (block.kind === 'heading') label = '';
      else if (!isLabel) table = null;
      const header =
        isLabel && table !== null && isOnSameOrNextPage(table, block)
          ? formatHeader(table, '')
          : '';
      label = isLabel && /[:：]$/.test(content) ? content : '';
      return header;
    }
    // The last cell may be empty.
    const cells = cellsOf(content);
    const next = blocks[index + 1];
    const below = next?.kind === 'table-row' ? cellsOf(text.slice(next.start, next.end)) : null;
    if (isHeaderRow(cells, below)) {
      if (table !== null && continuesHeader(table, cells, below)) {
        table.rows.push(cells);
        return '';
      }
      if (blocks[index - 1]?.kind !== 'table-row') {
        const caption = captionBefore(text, blocks, index);
        table = { rows: [cells], caption, columns: 0, page: block.page };
        return '';
      }
    }
    if (table === null) return '';
    if (table.columns === 0) table.columns = cells.length;
    if (table.columns !== cells.length || !isOnSameOrNextPage(table, block)) return '';
    table.page = block.page;
    return formatHeader(table, label);
  });
}

interface Table {
  /** The rows with the column titles. */
  readonly rows: string[][];
  readonly caption: string;
  /** Number of columns below the header. 0 before the first data row. */
  columns: number;
  /** Page of the header, and then of the last row. */
  page: number | undefined;
}

function cellsOf(row: string): string[] {
  return `${row} `.split(' | ').map((cell) => cell.trim());
}

/** Whether the block is on the page of the row before it or on the next page. */
function isOnSameOrNextPage(table: Table, { page }: Block): boolean {
  return page === undefined || table.page === undefined || page - table.page <= 1;
}

/**
 * Whether the cells can be column titles: they are words, dates or years, and not amounts or form labels that end in a
 * colon. Numbers and ranges, such as zones or ages, are titles if the cells below them are something else.
 */
function isHeaderRow(cells: readonly string[], below: readonly string[] | null): boolean {
  const isTitle = (cell: string, column: number) =>
    /^(?:19|20)\d\d$/.test(cell) ||
    (/\p{L}/u.test(cell) && !/[:：]$/.test(cell)) ||
    (isRange(cell) && below?.length === cells.length && !isRange(below[column] ?? ''));
  return cells.length > 1 && cells.every((cell, column) => cell === '' || isTitle(cell, column));
}

function isRange(cell: string): boolean {
  return /^\d{1,4}(?:\s?[-–]\s?\d{1,4}|\+)?$/.test(cell);
}

/**
 * Whether the row below a title row also contains column titles. This is the case if it has another number of columns
 * than the title row, or if every cell contains a year. Any other row may be the first data row.
 */
function continuesHeader(
  { rows, columns }: Table,
  cells: readonly string[],
  below: readonly string[] | null,
): boolean {
  if (columns > 0 || rows.length >= maxHeaderRows || isLikeRowBelow(cells, below)) return false;
  return (
    rows.at(-1)?.length !== cells.length || cells.every((cell) => /\b(?:19|20)\d\d\b/.test(cell))
  );
}

/** Whether a cell has the same form as the cell below it, such as `K-1` above `K-2`. */
function isLikeRowBelow(cells: readonly string[], below: readonly string[] | null): boolean {
  const isSame = (cell: string, column: number) =>
    /\d/.test(cell) && cellForm(cell) === cellForm(below?.[column]);
  return cells.length === below?.length && cells.some(isSame);
}

/** Returns the paragraph directly above the table, such as `(In millions)`. Returns '' if it is too long. */
function captionBefore(text: string, blocks: readonly Block[], index: number): string {
  const above = blocks[index - 1];
  if (above === undefined || above.kind !== 'paragraph') return '';
  const caption = text.slice(above.start, above.end).replace(/\s+/g, ' ');
  return caption.length <= maxCaptionLength ? caption : '';
}

function formatHeader({ caption, rows }: Table, label: string): string {
  const titles = rows.map((cells) => cells.join(' | ').replace(/\s+/g, ' '));
  const header = [caption, ...titles, label].filter(Boolean).join(' · ');
  if (header.length <= maxHeaderLength) return header;
  const short = [...titles, label].filter(Boolean).join(' · ');
  return short.length <= maxTitlesLength ? short : '';
}
