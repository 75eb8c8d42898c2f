import { type AnswerPiece, type PieceFilter, textPiece } from './answer-piece.ts';

/**
 * Leaves no HTML in an answer, outside of code, that loads, leads or hides: tags lose their attributes, comments and
 * elements that run or embed something disappear, `<scheme:…>` becomes text. A tag is held back to its end, at most
 * 1,000 UTF-16 units or to an empty line; one that does not end is text.
 */
export function createTagFilter(): PieceFilter {
  /** Begins with a `<` of its own, if it holds anything. */
  let held: AnswerPiece[] = [];
  let length = 0;
  let isLineEmpty = false;
  let shown: AnswerPiece[] = [];
  const end = (judge: (tag: readonly AnswerPiece[]) => readonly AnswerPiece[]) => {
    const tag = held;
    held = [];
    shown.push(...judge(tag));
  };
  /** Reads what can be judged of a piece, and returns what is left of it. */
  const read = (piece: AnswerPiece): AnswerPiece | null => {
    if (held.length === 0) return readText(piece);
    if (!tagStart.test(startOf(held, piece))) {
      end(asItIs);
      return piece;
    }
    const bracket = piece.type === 'text' ? piece.text.search(/[<>]/) : -1;
    if (bracket === -1 || piece.type !== 'text') {
      const wasLineEmpty = isLineEmpty;
      held.push(piece);
      length += piece.text.length;
      isLineEmpty = piece.text.trim() === '' && (isLineEmpty || piece.text.includes('\n'));
      const isEmptyLine = wasLineEmpty && isLineEmpty && piece.text.includes('\n');
      if (length > maxTagLength || isEmptyLine) end(unfinishedTag);
      return null;
    }
    held.push(textPiece(piece.text.slice(0, bracket)));
    const isClosed = piece.text[bracket] === '>';
    end(isClosed ? shownTag : unfinishedTag);
    return { ...piece, text: piece.text.slice(isClosed ? bracket + 1 : bracket) };
  };
  const readText = (piece: AnswerPiece): AnswerPiece | null => {
    const start = piece.type === 'text' && !piece.isCode ? piece.text.search(possibleTag) : -1;
    if (start === -1) {
      shown.push(piece);
      return null;
    }
    shown.push(textPiece(piece.text.slice(0, start)));
    held = [textPiece('<')];
    length = 0;
    isLineEmpty = false;
    return textPiece(piece.text.slice(start + 1));
  };
  const takeShown = (): AnswerPiece[] => {
    const pieces = shown.filter(({ text }) => text !== '');
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
      end(unfinishedTag);
      return takeShown();
    },
  };
}

const maxTagLength = 1_000;
const tagStart = /^<[a-z/!?]/i;
const possibleTag = /<(?=[a-z/!?]|$)/i;

/** Elements that run, load or restyle something even without attributes. */
const refused = new Set(
  'script style iframe frame frameset object embed applet form base meta link template noscript plaintext xmp svg math'.split(
    ' ',
  ),
);

/** What is shown of a whole tag; `tag` comes without its closing bracket. */
function shownTag(tag: readonly AnswerPiece[]): AnswerPiece[] {
  const text = textOf(tag);
  if (/^<[!?]/.test(text)) return [];
  if (/^<[a-z][a-z0-9+.-]{1,31}:/i.test(text)) return tag.slice(1);
  const [, slash = '', name = '', attributes = ''] = /^<(\/?)([^\s/]*)(.*)$/s.exec(text) ?? [];
  if (refused.has(name.toLowerCase())) return [];
  const isBare = !attributes.includes('=') && !tag.some(({ type }) => type === 'link');
  return isBare ? [...tag, textPiece('>')] : [textPiece(`<${slash}${name}>`)];
}

/** A page around the answer could end what the answer does not. */
function unfinishedTag(tag: readonly AnswerPiece[]): AnswerPiece[] {
  return textOf(tag).includes('=') || textOf(tag).startsWith('<!') ? tag.slice(1) : [...tag];
}

/** The first two characters; a link has none that begin a tag. */
function startOf(tag: readonly AnswerPiece[], next: AnswerPiece): string {
  const [, second = next] = tag;
  return second.type === 'text' ? `<${second.text.slice(0, 1)}` : '<';
}

function asItIs(tag: readonly AnswerPiece[]): readonly AnswerPiece[] {
  return tag;
}

function textOf(pieces: readonly AnswerPiece[]): string {
  return pieces.map(({ text }) => text).join('');
}
