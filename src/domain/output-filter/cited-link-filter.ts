import type { AnswerSegment, LinkSegment } from './answer-segment.ts';

export interface CitedLinkFilter {
  push(segments: readonly AnswerSegment[]): OutputSegment[];
  flush(): OutputSegment[];
}

/** A part of the filtered answer. */
export interface OutputSegment {
  readonly text: string;
  /** True for a bare URL, and for the target of a Markdown link. */
  readonly isLink?: boolean;
}

/**
 * Creates a filter that shows a link only if it is in a fenced block, or if a source that contains it is cited nearby:
 * by the next markers in its paragraph, or by markers before it in its sentence. An undecided link is buffered, with
 * the text after it, until the next markers, the end of the paragraph or 600 UTF-16 units. Text without links is never
 * buffered.
 */
export function createCitedLinkFilter(): CitedLinkFilter {
  /** If not empty, the first segment is an undecided link. */
  let buffer: AnswerSegment[] = [];
  let state = paragraphStart;

  const resolveLinks = (isShown: (link: LinkSegment) => boolean | null) => {
    buffer = buffer.map((segment) => {
      const verdict = segment.type === 'link' ? isShown(segment) : null;
      if (segment.type !== 'link' || verdict === null) return segment;
      return verdict ? shownLink(segment) : { type: 'text', text: segment.otherwise };
    });
  };
  const rejectLinks = () => resolveLinks(() => false);
  const read = (segment: AnswerSegment) => {
    const next = nextState(state, segment);
    if (state.isInMarkerGroup && !next.isInMarkerGroup) rejectLinks();
    if (
      segment.type === 'link' &&
      (segment.isInCode || next.citedSources.some((number) => segment.sources.includes(number)))
    ) {
      buffer.push(shownLink(segment));
    } else {
      buffer.push(segment);
    }
    if (segment.type === 'marker') {
      const { numbers } = segment;
      resolveLinks(({ sources }) =>
        numbers.some((number) => sources.includes(number)) ? true : null,
      );
    }
    if (next === paragraphStart || totalLength(buffer) > maxBufferLength) rejectLinks();
    state = next;
  };
  const takeResolved = (): OutputSegment[] => {
    const index = buffer.findIndex(({ type }) => type === 'link');
    return buffer.splice(0, index === -1 ? buffer.length : index);
  };
  return {
    push(segments) {
      return segments.flatMap((segment) => {
        read(segment);
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

function shownLink({ text }: LinkSegment): AnswerSegment & OutputSegment {
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

function nextState(position: ScanState, segment: AnswerSegment): ScanState {
  if (segment.type === 'marker') {
    // A marker after the full stop belongs to the sentence before it.
    const cited = position.isSentenceOver
      ? position.citedSources
      : [...position.citedSources, ...segment.numbers];
    return { ...position, citedSources: cited, isInMarkerGroup: true, isLineOver: false };
  }
  if (segment.type === 'link') {
    const cited = position.isSentenceOver ? [] : position.citedSources;
    return {
      citedSources: cited,
      isInMarkerGroup: false,
      isSentenceOver: false,
      isLineOver: false,
    };
  }
  const { text } = segment;
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
const sentenceWithin = /[。！？][^\p{L}\p{Nd}。！？]*[\p{L}\p{Nd}]/u;

function totalLength(segments: readonly AnswerSegment[]): number {
  return segments.reduce((sum, { text }) => sum + text.length, 0);
}
