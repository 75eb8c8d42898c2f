import { Parser } from 'htmlparser2';
import { cleanLine } from './clean-text.ts';
import type { BlockSink } from './text-builder.ts';

const hiddenTags = new Set(['script', 'style', 'template', 'noscript', 'head']);
const inlineTags = new Set(
  'a abbr b bdi bdo cite code del dfn em font i ins kbd mark q s samp small span strong sub sup time tt u var'.split(
    ' ',
  ),
);

/** Adds the text of an HTML fragment as headings, list items, paragraphs and table rows, each with its cells joined. */
export function addHtml(builder: BlockSink, html: string): void {
  let text = '';
  let cells: string[] = [];
  let hiddenDepth = 0;
  const flush = (tag: string) => {
    const line = cleanLine(text);
    text = '';
    if (tag === 'td' || tag === 'th') return void cells.push(line);
    if (tag === 'tr') {
      builder.add('table-row', [...cells, line].filter((cell) => cell !== '').join(' | '));
      cells = [];
      return;
    }
    const level = /^h([1-6])$/.exec(tag)?.[1];
    if (level !== undefined) return builder.add('heading', line, { level: Number(level) });
    builder.add(
      tag === 'li' ? 'list-item' : 'paragraph',
      tag === 'li' && line ? `- ${line}` : line,
    );
  };
  const parser = new Parser({
    onopentag(tag) {
      if (hiddenTags.has(tag)) hiddenDepth += 1;
      else if (tag === 'br') text += ' ';
      else if (!inlineTags.has(tag) && cells.length === 0 && text.trim() !== '') flush('p');
      else if (!inlineTags.has(tag)) text += ' ';
    },
    ontext(piece) {
      if (hiddenDepth === 0) text += piece;
    },
    onclosetag(tag) {
      if (hiddenTags.has(tag)) hiddenDepth -= 1;
      else if (!inlineTags.has(tag) && (isCellPart(tag) || cells.length === 0)) flush(tag);
      else text += inlineTags.has(tag) ? '' : ' ';
    },
  });
  parser.end(html);
  if (cells.length > 0) flush('tr');
  else if (text.trim() !== '') flush('p');
}

/** Returns the text of inline HTML with decoded entities and unchanged white space. */
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

function isCellPart(tag: string): boolean {
  return tag === 'td' || tag === 'th' || tag === 'tr';
}
