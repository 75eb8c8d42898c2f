import type { AnswerSegment, LinkSegment } from './answer-segment.ts';
import { type CountFiltered, ignoreFiltered } from './filtered-parts.ts';

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
 * Creates a filter that decides which links are shown. It shows a link in a fenced block, and a link whose source is
 * cited nearby: by the next markers in the paragraph of the link, or by earlier markers in its sentence. While a link
 * is undecided, the link and the text after it are buffered until the next markers, the end of the paragraph or 600
 * UTF-16 units. Text without links is never buffered.
 */
export function createCitedLinkFilter(
  countFiltered: CountFiltered = ignoreFiltered,
): CitedLinkFilter {
  /** If the buffer is not empty, its first segment is an undecided link. */
  let buffer: AnswerSegment[] = [];
  let state = paragraphStart;

  const resolveLinks = (isShown: (link: LinkSegment) => boolean | null) => {
    buffer = buffer.map((segment) => {
      const verdict = segment.type === 'link' ? isShown(segment) : null;
      if (segment.type !== 'link' || verdict === null) return segment;
      if (!verdict) countFiltered('LINK');
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

/** State of the filter at one position in the answer. */
interface ScanState {
  /** Numbers of the sources that the current sentence has cited so far. */
  readonly citedSources: readonly number[];
  /** True if only white space and punctuation follow the last marker. */
  readonly isInMarkerGroup: boolean;
  /** True after the end of a sentence. If a letter or digit follows directly, the sentence continues, as in a URL. */
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
    // A marker after the full stop belongs to the sentence before the full stop.
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
/** Matches a text that contains a sentence boundary, for scripts without spaces between sentences. */
const sentenceWithin = /[。！？][^\p{L}\p{Nd}。！？]*[\p{L}\p{Nd}]/u;

function totalLength(segments: readonly AnswerSegment[]): number {
  return segments.reduce((sum, { text }) => sum + text.length, 0);
}
