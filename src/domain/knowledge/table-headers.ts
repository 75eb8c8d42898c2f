import type { Block, ExtractedText } from './extract/extracted-text.ts';

/** Characters of what is told of a table; what takes more is no header. */
const LONGEST_HEADER = 200;
const LONGEST_CAPTION = 120;
/** A longer paragraph ends a table; a shorter one names a group of its rows. */
const LONGEST_LABEL = 80;
const MOST_HEADER_ROWS = 3;

/**
 * What a passage that begins at a block must be told to be understood, block by block: inside a table its caption, the
 * titles of its columns and the group of rows, such as `(In millions) · 2023 | 2022 · Cost of sales:`; else nothing.
 * A table is told by its rows alone, `cell | cell`, as readers of PDF know no more.
 */
export function tableHeaders({ text, blocks }: ExtractedText): string[] {
  let table: Table | null = null;
  let label = '';
  return blocks.map((block, index) => {
    const content = text.slice(block.start, block.end);
    if (block.kind !== 'table-row') {
      const isLabel = block.kind === 'paragraph' && content.length <= LONGEST_LABEL;
      if (block.kind === 'heading') label = '';
      else if (!isLabel) table = null;
      const told = isLabel && table !== null && isNear(table, block) ? headerOf(table, '') : '';
      label = isLabel && /[:：]$/.test(content) ? content : '';
      return told;
    }
    const cells = content.split(' | ');
    if (isHeaderRow(cells)) {
      if (table !== null && isNextHeader(table, cells)) {
        table.rows.push(cells);
        return '';
      }
      if (blocks[index - 1]?.kind !== 'table-row') {
        const caption = captionBefore(text, blocks, index);
        table = { rows: [cells], caption, columns: 0, page: block.page };
        return '';
      }
    }
    if (table !== null && table.columns === 0) table.columns = cells.length;
    else if (table !== null && (table.columns !== cells.length || !isNear(table, block))) return '';
    return table === null ? '' : headerOf(table, label);
  });
}

interface Table {
  /** Of its header. */
  readonly rows: string[][];
  readonly caption: string;
  /** Of its rows below the header; 0 before the first. */
  columns: number;
  readonly page: number | undefined;
}

/** On its page or the next. */
function isNear(table: Table, { page }: Block): boolean {
  return page === undefined || table.page === undefined || page - table.page <= 1;
}

/** Titles of columns: words, dates and years, but no amount and nothing that asks to be filled in. */
function isHeaderRow(cells: readonly string[]): boolean {
  const isTitle = (cell: string) =>
    /^(?:19|20)\d\d$/.test(cell.trim()) || (/\p{L}/u.test(cell) && !/[:：]$/.test(cell.trim()));
  return cells.length > 1 && cells.every((cell) => cell.trim() === '' || isTitle(cell));
}

/** Below titles that span several columns, or dates: other words may well be the first row. */
function isNextHeader({ rows, columns }: Table, cells: readonly string[]): boolean {
  if (columns > 0 || rows.length >= MOST_HEADER_ROWS) return false;
  return (
    rows.at(-1)?.length !== cells.length || cells.every((cell) => /\b(?:19|20)\d\d\b/.test(cell))
  );
}

/** What stands right above, such as the unit of all numbers. */
function captionBefore(text: string, blocks: readonly Block[], index: number): string {
  const above = blocks[index - 1];
  if (above === undefined || above.kind !== 'paragraph') return '';
  const caption = text.slice(above.start, above.end).replace(/\s+/g, ' ');
  return caption.length <= LONGEST_CAPTION ? caption : '';
}

function headerOf({ caption, rows }: Table, label: string): string {
  const titles = rows.map((cells) => cells.join(' | ').replace(/\s+/g, ' '));
  const header = [caption, ...titles, label].filter(Boolean).join(' · ');
  return header.length <= LONGEST_HEADER ? header : '';
}
