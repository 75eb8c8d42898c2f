import {
  type AnswerSegment,
  removedSegment,
  type SegmentFilter,
  textSegment,
} from './answer-segment.ts';

/**
 * Creates a filter that removes active HTML from an answer. Tags lose their attributes. HTML comments, and tags of
 * elements that load or run something, are removed. `<scheme:…>` autolinks become text.
 *
 * Code that is `certain` is not changed. In `likely` code an active tag gets a space after its `<`, so that it stays
 * readable but is inert. A tag is buffered until its end, an empty line or 1,000 UTF-16 units. An unfinished tag
 * becomes text.
 */
export function createHtmlTagFilter(): SegmentFilter {
  /** If not empty, the first segment is `<`. */
  let buffer: AnswerSegment[] = [];
  let length = 0;
  let isInCode = false;
  let isLineEmpty = false;
  let shown: AnswerSegment[] = [];
  const finishTag = (how: 'closed' | 'unfinished' | 'text') => {
    const tag = buffer;
    buffer = [];
    if (how === 'text' || tag.length === 0) shown.push(...tag);
    else if (isInCode) shown.push(...tagInCode(tag, how === 'closed' ? '>' : ''));
    else shown.push(...(how === 'closed' ? shownTag(tag) : unfinishedTag(tag)));
  };
  /** Processes the start of a segment. Returns the rest of the segment, or null if nothing is left. */
  const read = (segment: AnswerSegment): AnswerSegment | null => {
    if (buffer.length === 0) return readText(segment);
    if (!tagStart.test(startOf(buffer, segment))) {
      finishTag('text');
      return segment;
    }
    const bracket = segment.type === 'text' ? segment.text.search(/[<>]/) : -1;
    if (bracket === -1 || segment.type !== 'text') {
      const wasLineEmpty = isLineEmpty;
      buffer.push(segment);
      length += segment.text.length;
      isLineEmpty = segment.text.trim() === '' && (isLineEmpty || segment.text.includes('\n'));
      const isEmptyLine = wasLineEmpty && isLineEmpty && segment.text.includes('\n');
      if (length > maxTagLength || isEmptyLine) finishTag('unfinished');
      return null;
    }
    buffer.push(textSegment(segment.text.slice(0, bracket)));
    const isClosed = segment.text[bracket] === '>';
    finishTag(isClosed ? 'closed' : 'unfinished');
    return { ...segment, text: segment.text.slice(isClosed ? bracket + 1 : bracket) };
  };
  const readText = (segment: AnswerSegment): AnswerSegment | null => {
    const isText = segment.type === 'text' && segment.code !== 'certain';
    const start = isText ? segment.text.search(possibleTag) : -1;
    if (start === -1) {
      shown.push(segment);
      return null;
    }
    if (start > 0) shown.push({ ...segment, text: segment.text.slice(0, start) });
    buffer = [textSegment('<')];
    length = 0;
    isInCode = isText && segment.code === 'likely';
    isLineEmpty = false;
    return { ...segment, text: segment.text.slice(start + 1) };
  };
  const takeShown = (): AnswerSegment[] => {
    const segments = shown;
    shown = [];
    return segments;
  };
  return {
    push(segments) {
      for (const segment of segments) {
        let rest: AnswerSegment | null = segment;
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
function shownTag(tag: readonly AnswerSegment[]): AnswerSegment[] {
  const text = textOf(tag);
  if (/^<[!?]/.test(text) || isForbiddenElement(text)) return [removedSegment];
  if (autolinkStart.test(text)) return [removedSegment, ...tag.slice(1)];
  const [, slash = '', name = '', attributes = ''] = /^<(\/?)([^\s/]*)(.*)$/s.exec(text) ?? [];
  const isBare = !attributes.includes('=') && !tag.some(({ type }) => type === 'link');
  return isBare ? [...tag, textSegment('>')] : [textSegment(`<${slash}${name}>`)];
}

/** Removes the `<` of an active unfinished tag, because markup after the answer could close the tag. */
function unfinishedTag(tag: readonly AnswerSegment[]): AnswerSegment[] {
  return isHarmless(tag) ? [...tag] : [removedSegment, ...tag.slice(1)];
}

function tagInCode(tag: readonly AnswerSegment[], closing: string): AnswerSegment[] {
  const opening = isHarmless(tag) ? '<' : '< ';
  return [textSegment(opening), ...tag.slice(1), textSegment(closing)];
}

/** Returns true if the tag is inert, whether closed or unfinished. */
function isHarmless(tag: readonly AnswerSegment[]): boolean {
  const text = textOf(tag);
  const hasValue = text.includes('=') || tag.some(({ type }) => type === 'link');
  return (
    !hasValue && !/^<[!?]/.test(text) && !isForbiddenElement(text) && !autolinkStart.test(text)
  );
}

/** Returns the first two characters of the tag. A link segment never continues a tag name. */
function startOf(tag: readonly AnswerSegment[], next: AnswerSegment): string {
  const [, second = next] = tag;
  return second.type === 'text' ? `<${second.text.slice(0, 1)}` : '<';
}

function textOf(segments: readonly AnswerSegment[]): string {
  return segments.map(({ text }) => text).join('');
}
