import { cleanText } from './clean-text.ts';
import type { HtmlBlock } from './html-blocks.ts';

/** Returns Markdown with headings, lists, code and tables, which reads as the same blocks. */
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
      return `${'  '.repeat(block.depth * 2)}${block.marker} ${escapeLines(block.text, block.depth * 2 + 2)}`;
    case 'code':
      return fencedCode(block.text);
    case 'table-row':
      return tableRow(block.cells, block.isFirst);
    default:
      return escapeLines(block.text, 0);
  }
}

function tableRow(cells: readonly string[], isFirst: boolean): string {
  const row = `| ${cells.map((cell) => escapeInline(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return isFirst ? `${row}\n|${' --- |'.repeat(cells.length)}` : row;
}

/** The fence is longer than any in the code. */
function fencedCode(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function escapeLines(text: string, indent: number): string {
  return text
    .split('\n')
    .map(escapeLine)
    .join(`\\\n${' '.repeat(indent)}`);
}

/** Escapes what would start a block. */
function escapeLine(line: string): string {
  return escapeInline(line)
    .replace(/^([-+=])/, '\\$1')
    .replace(/^(\d{1,9})([.)])/, '$1\\$2');
}

function escapeInline(text: string): string {
  return text
    .replace(/[\\`*[\]<>#~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?\w{1,32};)/g, '\\&');
}
