import {
  escapeBlockStart,
  escapeInline,
  fencedCode,
  tableRow,
} from '../../text/escape-markdown.ts';
import { cleanText } from '../clean-text.ts';
import type { HtmlBlock } from './html-blocks.ts';

/**
 * Returns the blocks as Markdown with headings, lists, code and tables. Extracting this Markdown yields the same
 * blocks.
 */
export function htmlBlocksToMarkdown(blocks: readonly HtmlBlock[]): string {
  const parts: string[] = [];
  let previous: HtmlBlock | undefined;
  for (const block of blocks) {
    if (previous !== undefined) parts.push(isTight(previous, block) ? '\n' : '\n\n');
    parts.push(markdownOf(block));
    previous = block;
  }
  return cleanText(parts.join(''));
}

function isTight(previous: HtmlBlock, block: HtmlBlock): boolean {
  if (block.kind === 'table-row') return previous.kind === 'table-row' && !block.isFirst;
  return block.kind === 'list-item' && previous.kind === 'list-item';
}

function markdownOf(block: HtmlBlock): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${escapeLine(block.text)}`;
    case 'list-item':
      return `${'  '.repeat(block.depth * 2)}${listMarker(block.marker)} ${escapeLines(block.text, block.depth * 2 + 2)}`;
    case 'code':
      return fencedCode(block.text);
    case 'table-row':
      return tableRow(block.cells.map(escapeInline), block.isFirst);
    default:
      return escapeLines(block.text, 0);
  }
}

/** Returns the marker of a list in Markdown, which has no letters and Roman numerals: `- c.` for `c.` */
function listMarker(marker: string): string {
  return /^(?:-|\d{1,9}\.)$/.test(marker) ? marker : `- ${marker}`;
}

function escapeLines(text: string, indent: number): string {
  return text
    .split('\n')
    .map(escapeLine)
    .join(`\\\n${' '.repeat(indent)}`);
}

function escapeLine(line: string): string {
  return escapeBlockStart(escapeInline(line));
}
