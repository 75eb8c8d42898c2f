import type { BlockRange, HtmlBlock } from '../html/html-blocks.ts';
import type { HtmlElement } from '../html/html-tree.ts';
import { type MailPiece, maxQuoteDepth } from './mail-piece.ts';
import {
  countAttributionLines,
  countHeaderLines,
  isFieldLine,
  isQuoteMarker,
  isSenderLine,
} from './quote-lines.ts';
import { isSignatureDelimiter } from './signature.ts';

/** Returns the paragraphs of a text body. */
export function textPieces(text: string): MailPiece[] {
  const pieces: MailPiece[] = [];
  let lines: string[] = [];
  let depth = 0;
  const flush = () => {
    for (const piece of paragraphPieces(lines, { depth, isSignature: false })) pieces.push(piece);
    lines = [];
  };
  for (const written of text.split('\n')) {
    const line = unquote(written);
    const isEmpty = line.text.trim() === '';
    if (isEmpty || line.depth !== depth) flush();
    if (isEmpty) continue;
    depth = line.depth;
    lines.push(line.text);
  }
  flush();
  return pieces;
}

/** Returns the depth of a quoted line and its text. `>From` is a line of the sender that an mbox file changed. */
function unquote(line: string): { depth: number; text: string } {
  const marks = /^(?:> ?)+(?!From )/.exec(line)?.[0] ?? '';
  const depth = Math.min(maxQuoteDepth, marks.replaceAll(' ', '').length);
  return { depth, text: line.slice(marks.length) };
}

/** Returns the pieces of an HTML body. `ranges` are the blocks of the elements that match `isMailRange`. */
export function htmlPieces(
  blocks: readonly HtmlBlock[],
  ranges: readonly BlockRange[],
): MailPiece[] {
  const depths = coverage(
    blocks.length,
    ranges.filter(({ element }) => isQuote(element)),
  );
  const signatures = coverage(
    blocks.length,
    ranges.filter(({ element }) => isSignature(element)),
  );
  const pieces: MailPiece[] = [];
  for (let at = 0; at < blocks.length; ) {
    const place = {
      depth: Math.min(maxQuoteDepth, depths[at] ?? 0),
      isSignature: (signatures[at] ?? 0) > 0,
    };
    const end = fieldsEnd(blocks, at);
    const lines = blocks.slice(at, end).flatMap((block) => textOf(block).split('\n'));
    const [block] = blocks.slice(at, end);
    const split = isParagraph(block) ? paragraphPieces(lines, place) : [];
    if (split.length > 1 || end > at + 1) for (const piece of split) pieces.push(asHtml(piece));
    else if (block) pieces.push({ ...place, text: textOf(block), block, continues: false });
    at = end;
  }
  return pieces;
}

function asHtml(piece: MailPiece): MailPiece {
  return { ...piece, block: { kind: 'paragraph', text: piece.text, isItemPart: false } };
}

function isParagraph(block: HtmlBlock | undefined): boolean {
  return block?.kind === 'paragraph' && !block.isItemPart;
}

function textOf(block: HtmlBlock): string {
  return block.kind === 'table-row' ? block.cells.join(' | ') : block.text;
}

/** Returns the end of the fields above a quoted message if each is a paragraph. Otherwise returns the next index. */
function fieldsEnd(blocks: readonly HtmlBlock[], start: number): number {
  const field = (at: number) => {
    const block = blocks[at];
    if (block === undefined || !isParagraph(block)) return '';
    const text = textOf(block);
    return text.includes('\n') || !isFieldLine(text) ? '' : text;
  };
  if (!isSenderLine(field(start))) return start + 1;
  const lines = [0, 1, 2, 3, 4, 5, 6, 7].map((offset) => field(start + offset));
  const end = lines.indexOf('');
  return start + Math.max(1, countHeaderLines(end < 0 ? lines : lines.slice(0, end)));
}

/** Returns the number of ranges that contain each of the blocks. */
function coverage(length: number, ranges: readonly BlockRange[]): number[] {
  const changes = new Array<number>(length + 1).fill(0);
  for (const { start, end } of ranges) {
    changes[start] = (changes[start] ?? 0) + 1;
    changes[end] = (changes[end] ?? 0) - 1;
  }
  let open = 0;
  return changes.map((change) => {
    open += change;
    return open;
  });
}

/** Whether the element contains a quoted message or a signature. */
export function isMailRange(element: HtmlElement): boolean {
  return isQuote(element) || isSignature(element);
}

function isQuote({ name, attributes }: HtmlElement): boolean {
  const classes = attributes.class ?? '';
  if (name === 'blockquote') {
    return attributes.type?.toLowerCase() === 'cite' || /\bgmail_quote/.test(classes);
  }
  return /\byahoo_quoted\b/.test(classes);
}

function isSignature({ attributes }: HtmlElement): boolean {
  if (/^(?:x_)*(?:signature|ms-outlook-mobile-signature)$/i.test(attributes.id ?? '')) return true;
  return /\b(?:moz-signature|gmail_signature|protonmail_signature_block)\b/.test(
    attributes.class ?? '',
  );
}

/** Splits a paragraph at the lines that separate a quoted message or a signature. */
function paragraphPieces(
  lines: readonly string[],
  place: Pick<MailPiece, 'depth' | 'isSignature'>,
): MailPiece[] {
  const pieces: MailPiece[] = [];
  let start = 0;
  const cut = (end: number, continues: boolean) => {
    if (end <= start) return;
    const text = lines.slice(start, end).join('\n');
    pieces.push({ ...place, text, block: null, continues });
    start = end;
  };
  let continues = false;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const isAlone = isSignatureDelimiter(line) || isQuoteMarker(line);
    const count = isAlone ? 1 : countHeaderLines(lines.slice(at, at + 12));
    if (count > 0) {
      cut(at, continues);
      cut(at + count, false);
      continues = false;
    }
    at += Math.max(1, count);
  }
  const last = lines.length - countAttributionLines(lines.slice(Math.max(start, lines.length - 3)));
  if (last > start) {
    cut(last, continues);
    continues = true;
  }
  cut(lines.length, continues);
  return pieces;
}
