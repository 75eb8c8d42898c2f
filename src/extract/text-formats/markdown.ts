import type { Paragraph, RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { cleanLine, cleanText } from '../clean-text.ts';
import { readText } from '../encoding/decode-text.ts';
import type { ExtractLimits } from '../extract-limits.ts';
import type { ExtractedText } from '../extracted-text.ts';
import { addHtml } from '../html/html-text.ts';
import type { FrontMatter } from '../markdown-dialects/front-matter.ts';
import { readDialects } from '../markdown-dialects/read-dialects.ts';
import { tableLines } from '../tables/table-lines.ts';
import { renderRow } from '../tables/table-records.ts';
import { type BlockSink, createTextBuilder } from '../text-builder.ts';
import { cellText, inlineText } from './markdown-inline-text.ts';
import { splitMarkdown } from './markdown-sections.ts';
import { areTitles, withPlainTitles } from './plain-titles.ts';
import { addPlainText } from './txt.ts';

/**
 * Maximum number of characters that are parsed. Each of them takes up to 25 µs. The sections after them are added as
 * plain text with headings.
 */
const maxParsedLength = 3_000_000;

/**
 * Extracts the text that a reader sees in rendered Markdown. Supports CommonMark, GitHub tables and task lists, front
 * matter and inline HTML. Adds the address of a link if it differs from the link text.
 */
export async function readMarkdown(
  bytes: Uint8Array,
  limits: ExtractLimits,
): Promise<ExtractedText> {
  const builder = createTextBuilder(limits.textCharacters);
  const { text, frontMatter } = readDialects(cleanText(await readText(bytes)));
  const blocks: Parameters<BlockSink['add']>[] = [];
  addSections({ add: (...block) => void blocks.push(block) }, text);
  const main = blocks.find(([kind, , position]) => kind === 'heading' && position?.level === 1);
  if (frontMatter !== null) addFrontMatter(builder, frontMatter, main?.[1] ?? null);
  for (const block of blocks) builder.add(...block);
  return withPlainTitles(builder.build());
}

function addSections(builder: BlockSink, text: string): void {
  let position = 0;
  for (const { source, length, isTooComplex } of splitMarkdown(text)) {
    if (isTooComplex || position > maxParsedLength) addUnparsed(builder, source.slice(0, length));
    else addMarkdown(builder, source, length);
    position += length;
  }
}

/** Adds a section as plain text with headings, because the parser would take too long for it. */
function addUnparsed(builder: BlockSink, source: string): void {
  for (const part of source.split(/^(?=#{1,6} )/m)) {
    const [, marks = '', title = '', text = part] = /^(#{1,6}) ([^\n]*)([\s\S]*)$/.exec(part) ?? [];
    if (marks !== '') builder.add('heading', title, { level: marks.length });
    addPlainText(builder, text);
  }
}

/**
 * Adds the title and the other texts of the front matter. The title is the heading of the document, unless the text has a
 * main heading.
 */
function addFrontMatter(
  builder: BlockSink,
  { title, lines }: FrontMatter,
  mainHeading: string | null,
): void {
  if (mainHeading === null) builder.add('heading', title, { level: 1 });
  else if (lettersOf(mainHeading) !== lettersOf(title)) builder.add('paragraph', title);
  for (const line of lines) builder.add('paragraph', line);
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}

const parserOptions = {
  extensions: [gfm()],
  mdastExtensions: [gfmFromMarkdown()],
};

function addMarkdown(builder: BlockSink, source: string, length: number): void {
  for (const node of fromMarkdown(source, parserOptions).children) {
    const isDefinition = (node.position?.start.offset ?? 0) >= length;
    if (!isDefinition) addBlock(builder, node, 0);
  }
}

/** Adds a block. `depth` is the number of list items that contain the block. */
function addBlock(builder: BlockSink, node: RootContent, depth: number): void {
  const position = depth > 0 ? { isItemPart: true } : {};
  switch (node.type) {
    case 'heading':
      return builder.add('heading', cleanLine(inlineText(node)), { level: node.depth });
    case 'code':
      return builder.add('code', node.value, position);
    case 'table':
      return addTable(builder, node);
    case 'list':
      return addList(builder, node, depth);
    case 'html':
      return addHtml(builder, node.value);
    case 'blockquote':
    case 'footnoteDefinition':
      for (const child of node.children) addBlock(builder, child, depth);
      return;
    case 'thematicBreak':
    case 'definition':
      return;
    case 'paragraph':
      return builder.add('paragraph', titleLines(node) ?? inlineText(node), position);
    default:
      return builder.add('paragraph', inlineText(node), position);
  }
}

/**
 * Returns the lines of a paragraph if they look like titles. Returns null otherwise; the lines are then joined, as in a
 * rendered page.
 */
function titleLines({ children: [only, ...others] }: Paragraph): string | null {
  const isText = only?.type === 'text' && others.length === 0;
  return isText && areTitles(only.value.split('\n')) ? only.value : null;
}

/**
 * Adds the items of a list. The first paragraph of an item becomes the list item block. The rest of the item follows as
 * separate blocks.
 */
function addList(
  builder: BlockSink,
  list: Extract<RootContent, { type: 'list' }>,
  depth: number,
): void {
  list.children.forEach((item, index) => {
    const marker = list.ordered ? `${(list.start ?? 1) + index}. ` : '- ';
    const box = typeof item.checked === 'boolean' ? (item.checked ? '[x] ' : '[ ] ') : '';
    const [first, ...rest] = item.children;
    const indent = '  '.repeat(depth);
    if (first?.type === 'paragraph') {
      builder.add('list-item', `${indent}${marker}${box}${inlineText(first)}`);
    } else if (first !== undefined) {
      addBlock(builder, first, depth + 1);
    }
    for (const child of rest) addBlock(builder, child, depth + 1);
  });
}

function addTable(builder: BlockSink, table: Table): void {
  const rows = table.children.map(({ children }) => children.map(cellText));
  for (const line of tableLines(rows.map((texts) => ({ texts, spans: new Map() })))) {
    if (line?.kind !== 'row') continue;
    const { cells, names } = line;
    builder.add('table-row', names === null ? cells.join(' | ') : renderRow(cells, names));
  }
}
