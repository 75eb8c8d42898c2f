import type { Nodes, RootContent, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import { cleanLine, cleanText } from './clean-text.ts';
import type { ExtractedText } from './extracted-text.ts';
import { addHtml, stripTags } from './html-text.ts';
import type { ExtractLimits } from './limits.ts';
import { readText } from './read-text.ts';
import { createTextBuilder, type TextBuilder } from './text-builder.ts';

const ADMONITION_START = /^((?:\?\?\?\+?|!!!|===) .*)\n(?= {4}\S)/gm;

/**
 * Reads Markdown (CommonMark, GitHub's tables and task lists, front matter, HTML within) as the text a
 * reader of the rendered page sees. A link keeps its address when that differs from its text.
 */
export async function readMarkdown(
  bytes: Uint8Array,
  limits: ExtractLimits,
): Promise<ExtractedText> {
  const builder = createTextBuilder(limits.textCharacters);
  addMarkdown(builder, cleanText(await readText(bytes)), 0);
  return builder.build();
}

function addMarkdown(builder: TextBuilder, text: string, nesting: number): void {
  const tree = fromMarkdown(text.replace(ADMONITION_START, '$1\n\n'), {
    extensions: [gfm(), frontmatter(['yaml', 'toml'])],
    mdastExtensions: [gfmFromMarkdown(), frontmatterFromMarkdown(['yaml', 'toml'])],
  });
  tree.children.forEach((node, index) => {
    const isAdmonitionBody = node.type === 'code' && isAdmonition(tree.children[index - 1]);
    if (isAdmonitionBody && nesting < 4) addMarkdown(builder, node.value, nesting + 1);
    else addBlock(builder, node, 0);
  });
}

/** MkDocs indents the body of `!!! note "Title"`, `??? question` and `=== "Tab"`, so it parses as code. */
function isAdmonition(node: RootContent | undefined): boolean {
  return node?.type === 'paragraph' && /^(?:\?\?\?\+?|!!!|===) /.test(inlineText(node));
}

function addBlock(builder: TextBuilder, node: RootContent, depth: number): void {
  switch (node.type) {
    case 'heading':
      return builder.add('heading', cleanLine(inlineText(node)), { level: node.depth });
    case 'code':
      return builder.add('code', node.value);
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
    case 'yaml':
      return builder.add('paragraph', node.value);
    case 'thematicBreak':
    case 'definition':
      return;
    default:
      return builder.add('paragraph', inlineText(node));
  }
}

/** An item is one block with its first paragraph; what else it holds follows as blocks of their own. */
function addList(
  builder: TextBuilder,
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

function addTable(builder: TextBuilder, table: Table): void {
  for (const row of table.children) {
    const cells = row.children.map((cell) => cleanLine(inlineText(cell)));
    builder.add('table-row', cells.join(' | '));
  }
}

function inlineText(node: Nodes): string {
  switch (node.type) {
    case 'break':
      return '\n';
    case 'image':
    case 'imageReference':
      return node.alt ?? '';
    case 'html':
      return stripTags(node.value);
    case 'footnoteReference':
      return '';
    case 'link':
      return linkText(node.children.map(inlineText).join(''), node.url);
    case 'text':
      return node.value.replaceAll('\n', ' ');
    default:
      if ('value' in node) return node.value;
      return 'children' in node ? node.children.map(inlineText).join('') : '';
  }
}

/** Anchors and relative paths mean nothing outside the page; other addresses are content. */
function linkText(text: string, url: string): string {
  const address = url.replace(/^mailto:|^tel:/i, '');
  if (!/^(?:https?:\/\/|mailto:|tel:)/i.test(url) || text.includes(address)) return text;
  return text.trim() === '' ? address : `${text} (${address})`;
}
