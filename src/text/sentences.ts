import type { BlockSpan } from './block-spans.ts';
import { markerOf } from './list-items.ts';
import { memoize } from './memoize.ts';
import { wordCount } from './readable-text.ts';
import { sentenceSpans } from './sentence-spans.ts';

/** A part of a text, `text.slice(start, end)`, without surrounding white space. */
export interface Sentence {
  readonly kind: SentenceKind;
  /** `start` and `end`: UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Whether it is the first sentence of a paragraph. Absent if the blocks of the text are not known. */
  readonly startsParagraph?: boolean;
}

export type SentenceKind = 'sentence' | 'heading' | 'list-item' | 'table-row' | 'code';

/**
 * Splits a text of any language into sentences, list items, table rows and headings, in order. The kind of a line is a
 * guess, because a chunk contains line breaks but no other markup. No part is longer than 400 UTF-16 units, except for
 * table rows, which have up to 2,000.
 */
export function sentencesOf(text: string): readonly Sentence[] {
  return text.length <= maxRememberedLength
    ? rememberedSentencesOf(text)
    : splitIntoSentences(text);
}

/**
 * Splits a text whose blocks are known, as `sentencesOf` does. Only the kinds of lines in a paragraph are guesses. A
 * further paragraph of a list item, and an item nested in it, has the kind of an item and no bullet.
 */
export function sentencesIn(text: string, blocks: readonly BlockSpan[]): readonly Sentence[] {
  let isBelowItem = false;
  return blocks.flatMap((block): readonly Sentence[] => {
    const { kind, start, end, continuesItem } = block;
    isBelowItem = continuesItem ? isBelowItem : kind === 'list-item';
    const content = text.slice(start, end);
    const isText = kind === 'paragraph' || kind === 'list-item';
    const bullet = kind === 'list-item' ? markerOf(content).length : 0;
    if (isText && wordCount(content) > maxItemWords) {
      return paragraphSentences(text, { ...block, start: start + bullet });
    }
    if (continuesItem && isBelowItem) return [partOf(text, 'list-item', start + bullet, end)];
    if (kind === 'paragraph') {
      return isQuestion(content)
        ? [{ ...partOf(text, 'sentence', start, end), startsParagraph: true }]
        : paragraphSentences(text, block);
    }
    if (kind === 'list-item') return itemSentences(text, block);
    return [partOf(text, kind, start, end)];
  });
}

/** Whether a paragraph is the question of an entry, such as "The dock is full. What now?" */
function isQuestion(text: string): boolean {
  return /[?？؟]$/u.test(text) && !text.includes('\n') && wordCount(text) <= maxQuestionWords;
}

const maxQuestionWords = 20;
/** A list item with more words is read as a paragraph. */
const maxItemWords = 45;

function partOf(text: string, kind: SentenceKind, start: number, end: number): Sentence {
  return { kind, start, end, text: text.slice(start, end) };
}

function paragraphSentences(text: string, { start, end }: BlockSpan): readonly Sentence[] {
  const parts = splitIntoSentences(text.slice(start, end), text.slice(end));
  const items = parts.filter(({ kind, text }) => kind === 'list-item' && markerOf(text) !== '');
  return parts.map((sentence, index) => ({
    ...sentence,
    // A single line that looks like an item may begin with a date: "8. September to 12. December".
    kind: sentence.kind === 'list-item' && items.length < 2 ? 'sentence' : sentence.kind,
    start: start + sentence.start,
    end: start + sentence.end,
    startsParagraph: index === 0,
  }));
}

function itemSentences(text: string, { start, end }: BlockSpan): readonly Sentence[] {
  return sentenceSpans(text.slice(start, end)).flatMap((span) =>
    splitLongSpan(text, { start: start + span.start, end: start + span.end }, maxLength).map(
      (part) => partOf(text, 'list-item', part.start, part.end),
    ),
  );
}

/**
 * Memoized, because one answer needs the sentences of the same chunks several times: for the search, the confidence,
 * the quotes and the support check.
 */
const rememberedSentencesOf = memoize(
  (text: string) => splitIntoSentences(text),
  (text) => text,
  1_024,
);
/** Maximum length of a text whose sentences are stored. Nearly all chunks are shorter. */
const maxRememberedLength = 2_000;

function splitIntoSentences(text: string, after = ''): Sentence[] {
  const sentences: Sentence[] = [];
  for (const line of linesOf(text)) {
    const kind = kindOf(line.text, text.slice(line.end) + after);
    const isProse = kind === 'sentence' || kind === 'list-item';
    const spans = isProse ? sentenceSpans(line.text) : [{ start: 0, end: line.text.length }];
    const limit = kind === 'table-row' ? maxRowLength : maxLength;
    for (const span of spans.flatMap((span) => splitLongSpan(line.text, span, limit))) {
      const start = line.start + span.start;
      const end = line.start + span.end;
      sentences.push({ kind, start, end, text: text.slice(start, end) });
    }
  }
  return sentences;
}

interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the lines of a text. Merges the lines of a paragraph that is wrapped. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let isParagraphOver = true;
  for (const { 0: raw, index } of text.matchAll(/[^\n]+|\n/g)) {
    const content = raw.trim();
    if (content === '') {
      isParagraphOver ||= raw === '\n' && text[index - 1] === '\n';
      continue;
    }
    const start = index + raw.indexOf(content);
    const end = start + content.length;
    const last = lines.at(-1);
    if (last && !isParagraphOver && isWrapped(last.text, content)) {
      lines[lines.length - 1] = { start: last.start, end, text: text.slice(last.start, end) };
    } else {
      lines.push({ start, end, text: content });
    }
    isParagraphOver = false;
  }
  return lines;
}

function isWrapped(before: string, line: string): boolean {
  const lastLine = before.slice(before.lastIndexOf('\n') + 1);
  const isFull = lastLine.length >= 50 && !/[.!?:;。！？：；।؟]["'”’)\]]*$/u.test(lastLine);
  const isBroken = /[\p{Ll},(-]$/u.test(lastLine) && /^\p{Ll}/u.test(line);
  return (
    (isFull || isBroken) && kindOf(line, '') === 'sentence' && kindOf(before, '') !== 'table-row'
  );
}

/**
 * Guesses the kind of a line. `after` is the text after the line. It is needed because the last line is never a
 * heading.
 */
function kindOf(line: string, after: string): SentenceKind {
  if (/^(?:[-*+•‣▪◦–·\uFFFD]|\p{Nd}{1,3}[.)]|\p{L}[.)]|\([\p{L}\p{Nd}]{1,3}\))\s/u.test(line)) {
    return 'list-item';
  }
  if (/ \| |\t/.test(line) || /^[^:;]{1,80}: [^;]*(?:; [^:;]{1,80}: [^;]*)+$/.test(line)) {
    return 'table-row';
  }
  const isShort = line.length <= 90 && line.split(/\s+/).length <= 14;
  const isOpen = !/[.!?:;,。！？：；，、।؟…]["'”’)\]]*$/u.test(line) && !/: /.test(line);
  const isHeading = /^#{1,6}\s/.test(line) || (isShort && isOpen && after.trim() !== '');
  return isHeading ? 'heading' : 'sentence';
}

const maxLength = 400;
const targetLength = 280;
/** Rows may be longer than other parts, because the name of a row and each of its values belong together. */
const maxRowLength = 2_000;

/**
 * Splits a part that is longer than `limit` at the best boundary. Needed for languages without full stops, such as
 * Thai.
 */
function splitLongSpan(text: string, span: Span, limit: number): Span[] {
  if (span.end - span.start <= limit) {
    return [span];
  }
  const part = text.slice(span.start, span.start + targetLength);
  const cut = [/^.*[;；。！？]/su, /^.*(?:,(?!\p{Nd})|[，、])\s?/su, /^.*\s/su, /^.*\P{M}/su]
    .map((pattern) => pattern.exec(part)?.[0].length ?? 0)
    .find((length) => length >= targetLength / 3);
  const middle = span.start + (cut ?? targetLength);
  const rest = text.slice(middle, span.end);
  const gap = rest.length - rest.trimStart().length;
  return [
    { start: span.start, end: span.start + text.slice(span.start, middle).trimEnd().length },
    ...splitLongSpan(text, { start: middle + gap, end: span.end }, limit),
  ];
}

interface Span {
  readonly start: number;
  readonly end: number;
}
