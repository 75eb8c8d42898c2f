import type { AnswerPiece, LinkPiece } from './answer-piece.ts';

export interface CitedLinkFilter {
  push(pieces: readonly AnswerPiece[]): OutputPiece[];
  flush(): OutputPiece[];
}

/** A part of the filtered answer. */
export interface OutputPiece {
  readonly text: string;
  /** True for a URL, or for a link target in brackets. */
  readonly isLink?: boolean;
}

/**
 * Creates a filter that shows a link only if a source that contains it is cited nearby: by the next markers in its
 * paragraph, or by markers before it in its sentence. An undecided link is buffered, with the text after it, until the
 * next markers, the end of the paragraph or 600 UTF-16 units. Text without links is never buffered.
 */
export function createCitedLinkFilter(): CitedLinkFilter {
  /** If not empty, the first piece is an undecided link. */
  let buffer: AnswerPiece[] = [];
  let state = paragraphStart;

  const resolveLinks = (isShown: (link: LinkPiece) => boolean | null) => {
    buffer = buffer.map((piece) => {
      const verdict = piece.type === 'link' ? isShown(piece) : null;
      if (piece.type !== 'link' || verdict === null) return piece;
      return verdict ? shownLink(piece) : { type: 'text', text: piece.otherwise };
    });
  };
  const rejectLinks = () => resolveLinks(() => false);
  const read = (piece: AnswerPiece) => {
    const next = nextState(state, piece);
    if (state.isInMarkerGroup && !next.isInMarkerGroup) rejectLinks();
    if (
      piece.type === 'link' &&
      next.citedSources.some((number) => piece.sources.includes(number))
    ) {
      buffer.push(shownLink(piece));
    } else {
      buffer.push(piece);
    }
    if (piece.type === 'marker') {
      const { numbers } = piece;
      resolveLinks(({ sources }) =>
        numbers.some((number) => sources.includes(number)) ? true : null,
      );
    }
    if (next === paragraphStart || totalLength(buffer) > maxBufferLength) rejectLinks();
    state = next;
  };
  const takeResolved = (): OutputPiece[] => {
    const index = buffer.findIndex(({ type }) => type === 'link');
    return buffer.splice(0, index === -1 ? buffer.length : index);
  };
  return {
    push(pieces) {
      return pieces.flatMap((piece) => {
        read(piece);
        return takeResolved();
      });
    },
    flush() {
      rejectLinks();
      return takeResolved();
    },
  };
}

const maxBufferLength = 600;

function shownLink({ text }: LinkPiece): AnswerPiece & OutputPiece {
  return { type: 'text', text, isLink: true };
}

/** State of the filter at a position in the answer. */
interface ScanState {
  /** Sources cited so far in the sentence. */
  readonly citedSources: readonly number[];
  /** True if nothing but white space and punctuation follows the last marker. */
  readonly isInMarkerGroup: boolean;
  /** True after the end of a sentence. A letter or digit directly after it continues the sentence, as in a URL. */
  readonly isSentenceOver: boolean;
  readonly isLineOver: boolean;
}

const paragraphStart: ScanState = {
  citedSources: [],
  isInMarkerGroup: false,
  isSentenceOver: false,
  isLineOver: false,
};
const lineStart: ScanState = { ...paragraphStart, isLineOver: true };

function nextState(position: ScanState, piece: AnswerPiece): ScanState {
  if (piece.type === 'marker') {
    // A marker after the full stop belongs to the sentence before it.
    const cited = position.isSentenceOver
      ? position.citedSources
      : [...position.citedSources, ...piece.numbers];
    return { ...position, citedSources: cited, isInMarkerGroup: true, isLineOver: false };
  }
  if (piece.type === 'link') {
    const cited = position.isSentenceOver ? [] : position.citedSources;
    return {
      citedSources: cited,
      isInMarkerGroup: false,
      isSentenceOver: false,
      isLineOver: false,
    };
  }
  const { text } = piece;
  if (text.includes('\n')) {
    const isEmptyLine = position.isLineOver || /\n\s*\n/.test(text);
    return isEmptyLine
      ? paragraphStart
      : { ...lineStart, isInMarkerGroup: position.isInMarkerGroup };
  }
  const hasWord = /[\p{L}\p{Nd}]/u.test(text);
  const continuesSentence =
    position.isSentenceOver && !position.isInMarkerGroup && /^[a-z\p{Nd}]/iu.test(text);
  const isNew =
    hasWord && ((position.isSentenceOver && !continuesSentence) || sentenceWithin.test(text));
  return {
    citedSources: isNew ? [] : position.citedSources,
    isInMarkerGroup: position.isInMarkerGroup && !hasWord,
    isSentenceOver: sentenceEnd.test(text) || (position.isSentenceOver && !hasWord),
    isLineOver: position.isLineOver && text.trim() === '',
  };
}

const sentenceEnd = /[.!?…。！？][\p{Pe}\p{Pf}"'*_]*\s*$/u;
/** Matches a text with a sentence boundary, in scripts without spaces between sentences. */
const sentenceWithin = /[。！？][^\p{L}\p{Nd}]*[\p{L}\p{Nd}]/u;

function totalLength(pieces: readonly AnswerPiece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length, 0);
}
