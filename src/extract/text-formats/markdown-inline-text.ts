import type { Html, Nodes, TableCell } from 'mdast';
import { cleanLine } from '../clean-text.ts';
import { stripTags } from '../html/html-text.ts';
import { struckNames } from '../html/html-visibility.ts';
import { isInlineName } from '../html/html-visible-text.ts';
import { linkAddress, linkText } from '../link-address.ts';
import { raisedEnd, raisedStart } from '../raised-text.ts';

/** Returns the text of a cell on one line. No separator follows the last item of a list in the cell. */
export function cellText(cell: TableCell): string {
  const text = cleanLine(inlineText(cell));
  const hasItem = cell.children.some(
    (node) => tagOf(node) === '/li' || (node.type === 'text' && /<\s\/li/i.test(node.value)),
  );
  return hasItem ? text.replace(/(?:;\s?){1,9}$/, '') : text;
}

export function inlineText(node: Nodes): string {
  switch (node.type) {
    case 'break':
      return '\n';
    case 'image':
    case 'imageReference':
      return node.alt ?? '';
    case 'html':
      return raisedTags.get(tagOf(node)) ?? blockTags.get(tagOf(node)) ?? stripTags(node.value);
    case 'footnoteReference':
      return '';
    case 'link':
      return linkText(textOfChildren(node.children), node.url) || linkAddress(node.url);
    case 'text':
      return node.value
        .replace(brokenTag, (_, tag: string) => blockTags.get(tag.toLowerCase()) ?? ' ')
        .replaceAll('\n', ' ');
    default:
      if ('value' in node) return node.value;
      return 'children' in node ? textOfChildren(node.children) : '';
  }
}

/** Returns the text of inline nodes. Leaves out struck text and the space before it. */
function textOfChildren(nodes: readonly Nodes[]): string {
  if (!nodes.some(({ type }) => type === 'html' || type === 'delete')) {
    return nodes.map(inlineText).join('');
  }
  const lastIndexes = new Map(nodes.map((node, index) => [tagOf(node), index]));
  const texts: string[] = [];
  let endTag: string | null = null;
  let isAfterStruck = false;
  nodes.forEach((node, index) => {
    const tag = tagOf(node);
    if (endTag !== null) {
      if (tag === endTag) endTag = null;
      return;
    }
    const hasEnd = struckNames.has(tag) && (lastIndexes.get(`/${tag}`) ?? 0) > index;
    if (hasEnd) endTag = `/${tag}`;
    if (hasEnd || node.type === 'delete') {
      isAfterStruck = true;
      return;
    }
    const text = isPlaceholder(node) && !lastIndexes.has(`/${tag}`) ? node.value : inlineText(node);
    if (isAfterStruck && /^[\s.,;:!?)]/.test(text)) texts.push(texts.pop()?.trimEnd() ?? '');
    texts.push(text);
    isAfterStruck = false;
  });
  return texts.join('');
}

/**
 * Whether a tag is not HTML but a placeholder that a reader should replace, such as `<your-api-key>` or `<REGION>`. A
 * Markdown renderer would hide it.
 */
function isPlaceholder(node: Nodes): node is Html {
  if (node.type !== 'html') return false;
  const name = /^<([a-z][a-z0-9]*(?:[-_][a-z0-9]+)+|[A-Z][A-Z0-9_]{2,})>$/.exec(node.value)?.[1];
  return name !== undefined && !isInlineName(name.toLowerCase());
}

/** Returns the name of an inline HTML tag. For an end tag, `/` comes before the name. Returns '' for other nodes. */
function tagOf(node: Nodes): string {
  const [, name = ''] = (node.type === 'html' && /^<(\/?[a-z][\w-]*)[\s>]/i.exec(node.value)) || [];
  return name.toLowerCase();
}

/** Separators that replace the tags of blocks, such as list items in a cell. */
const blockTags = new Map([
  ['/li', '; '],
  ...['li', 'ul', '/ul', 'ol', '/ol', 'p', '/p', 'div', '/div'].map((tag) => [tag, ' '] as const),
]);

/** A tag that contains a space because a translation or an editor broke it. Markdown reads it as text. */
const brokenTag = /<\s{1,3}(\/?(?:li|ul|ol|br|p|b|i|em|strong))\s{0,3}\/?>/gi;

const raisedTags = new Map([
  ['sup', raisedStart],
  ['/sup', raisedEnd],
]);
