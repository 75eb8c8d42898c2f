import { Parser } from 'htmlparser2';
import { renderRow } from '../tables/table-records.ts';
import type { BlockSink } from '../text-builder.ts';
import { type HtmlBlock, readHtmlBlocks } from './html-blocks.ts';
import { parseHtml } from './html-tree.ts';

/**
 * Adds the text of an HTML page or fragment, as headings, list items, paragraphs, code and table rows.
 * @throws ExtractError TOO_LARGE when the HTML has too many elements or they are nested too deeply.
 */
export function addHtml(builder: BlockSink, html: string): void {
  for (const block of readHtmlBlocks(parseHtml(html))) addHtmlBlock(builder, block);
}

export function addHtmlBlock(builder: BlockSink, block: HtmlBlock): void {
  switch (block.kind) {
    case 'heading':
      return builder.add('heading', block.text, { level: block.level });
    case 'list-item':
      return builder.add('list-item', `${'  '.repeat(block.depth)}${block.marker} ${block.text}`);
    case 'table-row':
      return builder.add('table-row', rowText(block.cells, block.names));
    default:
      return builder.add(block.kind, block.text, block.isItemPart ? { isItemPart: true } : {});
  }
}

/** Returns the text of a row, or '' for the row with the names that the other rows repeat. */
function rowText(cells: readonly string[], names: readonly string[] | null): string {
  if (names === null) return cells.join(' | ');
  return cells === names ? '' : renderRow(cells, names);
}

/** Returns the text of inline HTML. Decodes entities and does not change white space. */
export function stripTags(html: string): string {
  let text = '';
  const parser = new Parser({
    ontext(piece) {
      text += piece;
    },
    onopentag(tag) {
      if (tag === 'br') text += '\n';
    },
  });
  parser.end(html);
  return text;
}
