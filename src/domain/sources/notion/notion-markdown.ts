import { escapeInline, fencedCode, tableRow } from '../../../text/escape-markdown.ts';
import type { NotionBlock } from './notion-blocks.ts';
import { objectOf, plainText, textOf } from './notion-values.ts';
import { markdownLink, richTextLine, richTextLines } from './rich-text.ts';

const listTypes: ReadonlySet<string> = new Set([
  ...['bulleted_list_item', 'numbered_list_item', 'to_do', 'toggle'],
]);

/** Converts blocks to Markdown. Omits types of blocks that have no text. */
export function blocksToMarkdown(blocks: readonly NotionBlock[]): string {
  let markdown = '';
  let number = 0;
  let wasItem = false;
  for (const block of blocks) {
    number = block.type === 'numbered_list_item' ? number + 1 : 0;
    const text = markdownOf(block, number);
    if (text === '') continue;
    const isItem = listTypes.has(block.type);
    if (markdown !== '') markdown += isItem && wasItem ? '\n' : '\n\n';
    markdown += text;
    wasItem = isItem;
  }
  return markdown;
}

function markdownOf({ id, type, content, children }: NotionBlock, number: number): string {
  const { rich_text: text } = content;
  switch (type) {
    case 'heading_1':
    case 'heading_2':
    case 'heading_3':
    case 'heading_4':
      return joined(`${'#'.repeat(Number(type.at(-1)))} ${richTextLine(text)}`, children);
    case 'bulleted_list_item':
    case 'toggle':
      return listItem('- ', richTextLines(text), children);
    case 'numbered_list_item':
      return listItem(`${number}. `, richTextLines(text), children);
    case 'to_do':
      return listItem(
        content.checked === true ? '- [x] ' : '- [ ] ',
        richTextLines(text),
        children,
      );
    case 'quote':
    case 'callout':
      return quoted(joined(richTextLines(text), children));
    case 'code':
      return fencedCode(plainText(text));
    case 'equation':
      return escapeInline(textOf(content.expression));
    case 'table':
      return table(content.has_column_header === true, children);
    case 'child_page':
    case 'child_database':
      return pageLink(textOf(content.title), id);
    case 'link_to_page':
      return pageLink('', textOf(content[textOf(content.type)]));
    case 'bookmark':
    case 'embed':
    case 'link_preview':
      return markdownLink(richTextLine(content.caption), textOf(content.url));
    case 'image':
    case 'video':
    case 'file':
    case 'pdf':
    case 'audio':
      return file(content);
    default:
      return joined(richTextLines(text), children);
  }
}

function joined(text: string, children: readonly NotionBlock[]): string {
  return [text, blocksToMarkdown(children)].filter((part) => part.trim() !== '').join('\n\n');
}

function listItem(marker: string, text: string, children: readonly NotionBlock[]): string {
  // The checkbox of a to-do is part of the item's text, so it does not count for the indentation.
  const indent = ' '.repeat(marker.indexOf(' ') + 1);
  const inner = blocksToMarkdown(children);
  const space = listTypes.has(children[0]?.type ?? '') ? '\n' : '\n\n';
  const lines = `${text}${inner === '' ? '' : `${space}${inner}`}`.replace(
    /\n(?=.)/g,
    `\n${indent}`,
  );
  return `${marker}${lines}`;
}

function quoted(text: string): string {
  return text === '' ? '' : `> ${text.replaceAll('\n', '\n> ')}`;
}

/** Markdown needs a header. If a table has no header, adds an empty one. */
function table(hasHeader: boolean, rows: readonly NotionBlock[]): string {
  const cells = rows.map(({ content }) =>
    Array.isArray(content.cells) ? content.cells.map(richTextLine) : [],
  );
  const width = cells.reduce((most, row) => Math.max(most, row.length), 0);
  if (width === 0) return '';
  const all = hasHeader ? cells : [[], ...cells];
  return all
    .map((row, n) => tableRow([...row, ...Array(width - row.length).fill('')], n === 0))
    .join('\n');
}

function pageLink(title: string, id: string): string {
  const address = `https://www.notion.so/${id.replaceAll('-', '')}`;
  return id === '' ? '' : markdownLink(escapeInline(title), address);
}

/** Returns a link to a file. Omits the link for files in Notion, because their addresses expire after an hour. */
function file(content: NotionBlock['content']): string {
  const name = richTextLine(content.caption) || escapeInline(textOf(content.name));
  const address = textOf(objectOf(content.external).url);
  return address === '' ? name : markdownLink(name, address);
}
