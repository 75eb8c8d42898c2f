import { type AnswerPiece, gap, type PieceFilter, textPiece } from './answer-piece.ts';

/**
 * Leaves no HTML in an answer that loads, leads or hides: tags lose their attributes, comments and elements that run or
 * embed something disappear, `<scheme:…>` becomes text. Nothing is changed in what is code for certain; where it is
 * likely only, such a tag gets a space behind its bracket, which keeps it readable and makes it none. A tag is held back
 * to its end, at most 1,000 UTF-16 units or to an empty line; one that does not end is text.
 */
export function createTagFilter(): PieceFilter {
  /** Begins with a `<` of its own, if it holds anything. */
  let held: AnswerPiece[] = [];
  let length = 0;
  let isInCode = false;
  let isLineEmpty = false;
  let shown: AnswerPiece[] = [];
  const end = (how: 'closed' | 'unfinished' | 'text') => {
    const tag = held;
    held = [];
    if (how === 'text' || tag.length === 0) shown.push(...tag);
    else if (isInCode) shown.push(...tagInCode(tag, how === 'closed' ? '>' : ''));
    else shown.push(...(how === 'closed' ? shownTag(tag) : unfinishedTag(tag)));
  };
  /** Reads what can be judged of a piece, and returns what is left of it. */
  const read = (piece: AnswerPiece): AnswerPiece | null => {
    if (held.length === 0) return readText(piece);
    if (!tagStart.test(startOf(held, piece))) {
      end('text');
      return piece;
    }
    const bracket = piece.type === 'text' ? piece.text.search(/[<>]/) : -1;
    if (bracket === -1 || piece.type !== 'text') {
      const wasLineEmpty = isLineEmpty;
      held.push(piece);
      length += piece.text.length;
      isLineEmpty = piece.text.trim() === '' && (isLineEmpty || piece.text.includes('\n'));
      const isEmptyLine = wasLineEmpty && isLineEmpty && piece.text.includes('\n');
      if (length > maxTagLength || isEmptyLine) end('unfinished');
      return null;
    }
    held.push(textPiece(piece.text.slice(0, bracket)));
    const isClosed = piece.text[bracket] === '>';
    end(isClosed ? 'closed' : 'unfinished');
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
    held = [textPiece('<')];
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
      end('unfinished');
      return takeShown();
    },
  };
}

const maxTagLength = 1_000;
const tagStart = /^<[a-z/!?]/i;
const possibleTag = /<(?=[a-z/!?]|$)/i;

/** Elements that run, load or restyle something even without attributes, or take what follows for something else. */
const refused = new Set(
  'script style iframe frame frameset object embed applet form base meta link template noscript plaintext xmp svg math textarea title noembed noframes pre'.split(
    ' ',
  ),
);
const otherScheme = /^<[a-z][a-z0-9+.-]{1,31}:(?!:)/i;

function isRefused(text: string): boolean {
  const [, name = ''] = /^<\/?([^\s/>]*)/.exec(text) ?? [];
  return refused.has(name.toLowerCase());
}

/** What is shown of a whole tag; `tag` comes without its closing bracket. */
function shownTag(tag: readonly AnswerPiece[]): AnswerPiece[] {
  const text = textOf(tag);
  if (/^<[!?]/.test(text) || isRefused(text)) return [gap];
  if (otherScheme.test(text)) return [gap, ...tag.slice(1)];
  const [, slash = '', name = '', attributes = ''] = /^<(\/?)([^\s/]*)(.*)$/s.exec(text) ?? [];
  const isBare = !attributes.includes('=') && !tag.some(({ type }) => type === 'link');
  return isBare ? [...tag, textPiece('>')] : [textPiece(`<${slash}${name}>`)];
}

/** A page around the answer could end what the answer does not. */
function unfinishedTag(tag: readonly AnswerPiece[]): AnswerPiece[] {
  return isHarmless(tag) ? [...tag] : [gap, ...tag.slice(1)];
}

function tagInCode(tag: readonly AnswerPiece[], closing: string): AnswerPiece[] {
  const opening = isHarmless(tag) ? '<' : '< ';
  return [textPiece(opening), ...tag.slice(1), textPiece(closing)];
}

/** Does nothing, whether it is closed or goes on. */
function isHarmless(tag: readonly AnswerPiece[]): boolean {
  const text = textOf(tag);
  const hasValue = text.includes('=') || tag.some(({ type }) => type === 'link');
  return !hasValue && !/^<[!?]/.test(text) && !isRefused(text) && !otherScheme.test(text);
}

/** The first two characters; a link has none that begin a tag. */
function startOf(tag: readonly AnswerPiece[], next: AnswerPiece): string {
  const [, second = next] = tag;
  return second.type === 'text' ? `<${second.text.slice(0, 1)}` : '<';
}

function textOf(pieces: readonly AnswerPiece[]): string {
  return pieces.map(({ text }) => text).join('');
}
