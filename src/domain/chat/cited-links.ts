import type { AnswerPiece, LinkPiece } from './answer-piece.ts';

export interface CitedLinks {
  push(pieces: readonly AnswerPiece[]): ShownPiece[];
  flush(): ShownPiece[];
}

/** What the reader gets. */
export interface ShownPiece {
  readonly text: string;
  /** Where it is an address, or a target in brackets. */
  readonly isLink?: boolean;
}

/**
 * Shows a link only where a source that holds it is cited for it: by the next markers of its paragraph, or by markers
 * before it in its sentence. A link whose markers are still to come is held back, with what follows, up to them, the
 * paragraph's end or 600 UTF-16 units; text without links is never.
 */
export function createCitedLinks(): CitedLinks {
  /** Begins with a link that is not judged yet, if it holds anything. */
  let held: AnswerPiece[] = [];
  let place = paragraphStart;

  const judge = (isShown: (link: LinkPiece) => boolean | null) => {
    held = held.map((piece) => {
      const verdict = piece.type === 'link' ? isShown(piece) : null;
      if (piece.type !== 'link' || verdict === null) return piece;
      return verdict ? shownLink(piece) : { type: 'text', text: piece.otherwise };
    });
  };
  const refuse = () => judge(() => false);
  const read = (piece: AnswerPiece) => {
    const next = placeAfter(place, piece);
    if (place.isGroup && !next.isGroup) refuse();
    if (piece.type === 'link' && next.cited.some((number) => piece.sources.includes(number))) {
      held.push(shownLink(piece));
    } else {
      held.push(piece);
    }
    if (piece.type === 'marker') {
      const { numbers } = piece;
      judge(({ sources }) => (numbers.some((number) => sources.includes(number)) ? true : null));
    }
    if (next === paragraphStart || unitsOf(held) > maxHeld) refuse();
    place = next;
  };
  const take = (): ShownPiece[] => {
    const index = held.findIndex(({ type }) => type === 'link');
    return held.splice(0, index === -1 ? held.length : index);
  };
  return {
    push(pieces) {
      return pieces.flatMap((piece) => {
        read(piece);
        return take();
      });
    },
    flush() {
      refuse();
      return take();
    },
  };
}

const maxHeld = 600;

function shownLink({ text }: LinkPiece): AnswerPiece & ShownPiece {
  return { type: 'text', text, isLink: true };
}

/** Where in an answer we are. */
interface Place {
  /** Sources cited so far in the sentence. */
  readonly cited: readonly number[];
  /** Markers, and since then nothing but white space and punctuation. */
  readonly isGroup: boolean;
  /** The sentence is over unless the text goes on at once, as in an address. */
  readonly isSentenceOver: boolean;
  readonly isLineOver: boolean;
}

const paragraphStart: Place = {
  cited: [],
  isGroup: false,
  isSentenceOver: false,
  isLineOver: false,
};
const lineStart: Place = { ...paragraphStart, isLineOver: true };

function placeAfter(place: Place, piece: AnswerPiece): Place {
  if (piece.type === 'marker') {
    // Behind the full stop it belongs to the sentence before.
    const cited = place.isSentenceOver ? place.cited : [...place.cited, ...piece.numbers];
    return { ...place, cited, isGroup: true, isLineOver: false };
  }
  if (piece.type === 'link') {
    const cited = place.isSentenceOver ? [] : place.cited;
    return { cited, isGroup: false, isSentenceOver: false, isLineOver: false };
  }
  const { text } = piece;
  if (text.includes('\n')) {
    const isEmptyLine = place.isLineOver || /\n\s*\n/.test(text);
    return isEmptyLine ? paragraphStart : { ...lineStart, isGroup: place.isGroup };
  }
  const hasWord = /[\p{L}\p{Nd}]/u.test(text);
  const goesOn = place.isSentenceOver && !place.isGroup && /^[a-z\p{Nd}]/iu.test(text);
  const isNew = hasWord && ((place.isSentenceOver && !goesOn) || sentenceWithin.test(text));
  return {
    cited: isNew ? [] : place.cited,
    isGroup: place.isGroup && !hasWord,
    isSentenceOver: sentenceEnd.test(text) || (place.isSentenceOver && !hasWord),
    isLineOver: place.isLineOver && text.trim() === '',
  };
}

const sentenceEnd = /[.!?…。！？][\p{Pe}\p{Pf}"'*_]*\s*$/u;
/** Where sentences are not kept apart by spaces. */
const sentenceWithin = /[。！？][^\p{L}\p{Nd}]*[\p{L}\p{Nd}]/u;

function unitsOf(pieces: readonly AnswerPiece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length, 0);
}
