import { estimateTokens } from '../../text/estimate-tokens.ts';
import { sentenceSpans } from '../../text/sentence-spans.ts';

/** A range of a text in UTF-16 offsets, and its estimated number of tokens. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
}

/**
 * Splits a range into parts of about `limit` tokens at most. Only white space between the parts is lost. Splits between
 * sentences if possible, otherwise between words, otherwise between grapheme clusters.
 */
export function splitBlock(text: string, start: number, end: number, limit: number): TextRange[] {
  const whole = trimmedRange(text, start, end);
  if (whole === null) return [];
  if (whole.tokens <= limit) return [whole];
  return sentencesOf(text, whole).flatMap((sentence) =>
    sentence.tokens <= limit ? [sentence] : splitSentence(text, sentence, limit),
  );
}

/** Splits a sentence into words and combines the words up to the limit. */
function splitSentence(text: string, sentence: TextRange, limit: number): TextRange[] {
  const pieces: TextRange[] = [];
  for (const word of wordsOf(text, sentence)) {
    for (const part of word.tokens <= limit ? [word] : splitWord(text, word, limit)) {
      const last = pieces.at(-1);
      if (last === undefined || last.tokens + part.tokens > limit) pieces.push(part);
      else
        pieces[pieces.length - 1] = { ...last, end: part.end, tokens: last.tokens + part.tokens };
    }
  }
  return pieces;
}

/**
 * Splits a long word into parts of equal length. Does not measure every character, because a text may have several
 * megabytes without a space.
 */
function splitWord(text: string, word: TextRange, limit: number): TextRange[] {
  const step = Math.max(1, Math.floor(((word.end - word.start) * limit) / word.tokens));
  const parts: TextRange[] = [];
  for (let start = word.start; start < word.end; ) {
    const end = start + step < word.end ? graphemeBoundary(text, start, start + step) : word.end;
    parts.push(trimmedRange(text, start, end) ?? { start, end, tokens: limit });
    start = end;
  }
  return parts;
}

/** Maximum UTF-16 units of a grapheme cluster. Normal text contains no longer clusters. */
const maxGraphemeLength = 64;

/** Returns the start of the grapheme cluster that contains `at`. If the cluster starts at `start`, returns its end. */
function graphemeBoundary(text: string, start: number, at: number): number {
  const from = Math.max(start, at - maxGraphemeLength);
  const character = graphemeSegmenter
    .segment(text.slice(from, at + maxGraphemeLength))
    .containing(at - from);
  if (character === undefined) return at;
  const begin = from + character.index;
  return begin > start ? begin : begin + character.segment.length;
}

const graphemeSegmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns the sentences of each line. The number of a step (`2.`) belongs to the sentence after it. */
function sentencesOf(text: string, within: TextRange): TextRange[] {
  const sentences: TextRange[] = [];
  let start = within.start;
  for (const line of text.slice(within.start, within.end).split('\n')) {
    for (const span of sentenceSpans(line)) {
      const sentence = trimmedRange(text, start + span.start, start + span.end);
      if (sentence !== null) sentences.push(sentence);
    }
    start += line.length + 1;
  }
  return sentences;
}

function wordsOf(text: string, within: TextRange): TextRange[] {
  const words: TextRange[] = [];
  for (const { index, segment } of wordSegmenter.segment(text.slice(within.start, within.end))) {
    const start = within.start + index;
    const word = trimmedRange(text, start, start + segment.length);
    if (word !== null) words.push(word);
  }
  return words;
}

const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Removes white space at both ends of the range. Returns null if nothing else is in the range. */
function trimmedRange(text: string, start: number, end: number): TextRange | null {
  const content = text.slice(start, end);
  const trimmed = content.trim();
  if (trimmed === '') return null;
  const from = start + content.indexOf(trimmed);
  return { start: from, end: from + trimmed.length, tokens: estimateTokens(trimmed) };
}
