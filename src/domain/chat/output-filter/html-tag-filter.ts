import { type AnswerPiece, type PieceFilter, removedPiece, textPiece } from './answer-piece.ts';

/**
 * Creates a filter that removes active HTML from an answer. Tags lose their attributes. HTML comments, and tags of
 * elements that load or run something, are removed. `<scheme:…>` autolinks become text.
 *
 * Code that is `certain` is not changed. In `likely` code an active tag gets a space after its `<`, so that it stays
 * readable but is inert. A tag is buffered until its end, an empty line or 1,000 UTF-16 units. An unfinished tag
 * becomes text.
 */
export function createHtmlTagFilter(): PieceFilter {
  /** If not empty, the first piece is `<`. */
  let buffer: AnswerPiece[] = [];
  let length = 0;
  let isInCode = false;
  let isLineEmpty = false;
  let shown: AnswerPiece[] = [];
  const finishTag = (how: 'closed' | 'unfinished' | 'text') => {
    const tag = buffer;
    buffer = [];
    if (how === 'text' || tag.length === 0) shown.push(...tag);
    else if (isInCode) shown.push(...tagInCode(tag, how === 'closed' ? '>' : ''));
    else shown.push(...(how === 'closed' ? shownTag(tag) : unfinishedTag(tag)));
  };
  /** Processes the start of a piece. Returns the rest of the piece, or null if nothing is left. */
  const read = (piece: AnswerPiece): AnswerPiece | null => {
    if (buffer.length === 0) return readText(piece);
    if (!tagStart.test(startOf(buffer, piece))) {
      finishTag('text');
      return piece;
    }
    const bracket = piece.type === 'text' ? piece.text.search(/[<>]/) : -1;
    if (bracket === -1 || piece.type !== 'text') {
      const wasLineEmpty = isLineEmpty;
      buffer.push(piece);
      length += piece.text.length;
      isLineEmpty = piece.text.trim() === '' && (isLineEmpty || piece.text.includes('\n'));
      const isEmptyLine = wasLineEmpty && isLineEmpty && piece.text.includes('\n');
      if (length > maxTagLength || isEmptyLine) finishTag('unfinished');
      return null;
    }
    buffer.push(textPiece(piece.text.slice(0, bracket)));
    const isClosed = piece.text[bracket] === '>';
    finishTag(isClosed ? 'closed' : 'unfinished');
    return { ...piece, text: piece.text.slice(isClosed ? bracket + 1 : bracket) };
  };
  const readText = (piece: AnswerPiece): AnswerPiece | null => {
    const isText = piece.type === 'text' && piece.code !== 'certain';
    const start = isText ? piece.text.search(possibleTag) : -1;
    if (start === -1) {
      shown.push(piece);
      return null;
    }
    if (start > 0) shown.push({ ...piece, text: piece.text.slice(0, start) });
    buffer = [textPiece('<')];
    length = 0;
    isInCode = isText && piece.code === 'likely';
    isLineEmpty = false;
    return { ...piece, text: piece.text.slice(start + 1) };
  };
  const takeShown = (): AnswerPiece[] => {
    const pieces = shown;
    shown = [];
    return pieces;
  };
  return {
    push(pieces) {
      for (const piece of pieces) {
        let rest: AnswerPiece | null = piece;
        while (rest !== null && rest.text !== '') rest = read(rest);
      }
      return takeShown();
    },
    flush() {
      finishTag('unfinished');
      return takeShown();
    },
  };
}

const maxTagLength = 1_000;
const tagStart = /^<[a-z/!?]/i;
const possibleTag = /<(?=[a-z/!?]|$)/i;

/**
 * Elements that run, load or restyle something even without attributes, or that change how the text after them is
 * parsed.
 */
const forbiddenElements = new Set(
  'script style iframe frame frameset object embed applet form base meta link template noscript plaintext xmp svg math textarea title noembed noframes pre'.split(
    ' ',
  ),
);
const autolinkStart = /^<[a-z][a-z0-9+.-]{1,31}:(?!:)/i;

function isForbiddenElement(text: string): boolean {
  const [, name = ''] = /^<\/?([^\s/>]*)/.exec(text) ?? [];
  return forbiddenElements.has(name.toLowerCase());
}

/** Returns the safe form of a complete tag. `tag` excludes the closing bracket. */
function shownTag(tag: readonly AnswerPiece[]): AnswerPiece[] {
  const text = textOf(tag);
  if (/^<[!?]/.test(text) || isForbiddenElement(text)) return [removedPiece];
  if (autolinkStart.test(text)) return [removedPiece, ...tag.slice(1)];
  const [, slash = '', name = '', attributes = ''] = /^<(\/?)([^\s/]*)(.*)$/s.exec(text) ?? [];
  const isBare = !attributes.includes('=') && !tag.some(({ type }) => type === 'link');
  return isBare ? [...tag, textPiece('>')] : [textPiece(`<${slash}${name}>`)];
}

/** Removes the `<` of an active unfinished tag, because markup after the answer could close the tag. */
function unfinishedTag(tag: readonly AnswerPiece[]): AnswerPiece[] {
  return isHarmless(tag) ? [...tag] : [removedPiece, ...tag.slice(1)];
}

function tagInCode(tag: readonly AnswerPiece[], closing: string): AnswerPiece[] {
  const opening = isHarmless(tag) ? '<' : '< ';
  return [textPiece(opening), ...tag.slice(1), textPiece(closing)];
}

/** Returns true if the tag is inert, whether closed or unfinished. */
function isHarmless(tag: readonly AnswerPiece[]): boolean {
  const text = textOf(tag);
  const hasValue = text.includes('=') || tag.some(({ type }) => type === 'link');
  return (
    !hasValue && !/^<[!?]/.test(text) && !isForbiddenElement(text) && !autolinkStart.test(text)
  );
}

/** Returns the first two characters of the tag. A link piece never continues a tag name. */
function startOf(tag: readonly AnswerPiece[], next: AnswerPiece): string {
  const [, second = next] = tag;
  return second.type === 'text' ? `<${second.text.slice(0, 1)}` : '<';
}

function textOf(pieces: readonly AnswerPiece[]): string {
  return pieces.map(({ text }) => text).join('');
}
