import type { ConfidentialText } from '../../models/prompt/prompt.ts';
import { ideographs } from '../../text/scripts.ts';
import type { TextFilter } from '../../text/text-filter.ts';
import { confusableSkeleton } from './confusables.ts';

export interface PromptLeakFilter extends TextFilter {
  /** True if the rest of the answer was replaced because it repeated a confidential text. */
  readonly isPromptLeaked: boolean;
}

/**
 * Creates a filter that replaces a leaked part of a confidential text, and everything after it, with `replacement`.
 *
 * A leak is any 40 consecutive letters of a confidential text, compared with `confusableSkeleton`. If the confidential
 * text is shorter, a leak is the whole text, but only if it has at least 24 letters. A Chinese or Japanese letter
 * counts as three letters. Text that could become a leak is buffered, so that the output contains at most
 * `shownLetters` letters of a leak. Text that `known` also contains is allowed.
 */
export function createPromptLeakFilter(input: {
  readonly confidential: readonly ConfidentialText[];
  readonly known: readonly string[];
  readonly replacement: string;
}): PromptLeakFilter {
  /** `match` contains the last letters read, as many as could still become a leak. */
  const partialMatches = input.confidential
    .map(({ parts, shownLetters }) => ({ index: ngramIndexOf(parts), shownLetters, match: '' }))
    .filter(({ index }) => index.ngrams.length > 0);
  let known: string | null = null;
  const isAllowed = (letters: string): boolean => {
    known ??= input.known.map(confusableSkeleton).join(' ');
    return known.includes(letters);
  };

  /** Buffered text. If it is not empty, its first character belongs to a partial match. */
  let buffer = '';
  /** For each letter, its position in `buffer`. The letters of a ligature have the same position. */
  let letterOffsets: number[] = [];
  let isPromptLeaked = false;
  let hasOutput = false;
  let isInWord = false;

  const show = (text: string): string => {
    hasOutput ||= text.trim() !== '';
    isInWord = text === '' ? isInWord : /\p{L}$/u.test(text);
    return text;
  };
  const flushAllBut = (count: number): string => {
    const start = count === 0 ? buffer.length : (letterOffsets.at(-count) ?? 0);
    const text = buffer.slice(0, start);
    buffer = buffer.slice(start);
    letterOffsets = count === 0 ? [] : letterOffsets.slice(-count).map((offset) => offset - start);
    return show(text);
  };
  const completesLeak = (letter: string): boolean => {
    let isLeak = false;
    for (const partial of partialMatches) {
      const match = nextMatch(partial.index, `${partial.match}${letter}`);
      const isComplete = match !== '' && match.length === partial.index.length;
      isLeak ||= isComplete && !isAllowed(match);
      partial.match = isComplete ? match.slice(1) : match;
    }
    return isLeak;
  };
  const read = (character: string): string => {
    const offset = buffer.length;
    buffer += character;
    for (const letter of characterSkeleton(character)) {
      letterOffsets.push(offset);
      if (completesLeak(letter)) {
        isPromptLeaked = true;
        // If the leak starts inside a word whose first letters are already in the output, output the rest of that word,
        // too.
        const [rest = ''] = isInWord ? (wordEnd.exec(buffer) ?? []) : [];
        return `${rest}${hasOutput ? '\n\n' : ''}${input.replacement}`;
      }
    }
    let count = 0;
    for (const { match, shownLetters } of partialMatches) {
      if (match.length > shownLetters) count = Math.max(count, match.length);
    }
    if (buffer.length <= maxGapLength + maxUnitsPerLetter * count) return flushAllBut(count);
    for (const partial of partialMatches) partial.match = '';
    return flushAllBut(0);
  };
  return {
    get isPromptLeaked() {
      return isPromptLeaked;
    },
    push(text) {
      let shown = '';
      for (const character of text) {
        if (isPromptLeaked) break;
        shown += read(character);
      }
      return shown;
    },
    flush: () => (isPromptLeaked ? '' : flushAllBut(0)),
  };
}

const wordEnd = /^\p{L}{1,8}(?!\p{L})/u;

/**
 * In the answer, other characters may separate the letters of a leak. So n letters may take up to n ×
 * `maxUnitsPerLetter` + `maxGapLength` UTF-16 units. The gap is large enough for the border of a table.
 */
const maxUnitsPerLetter = 10;
const maxGapLength = 24;

const ngramLength = 40;
const minNgramLength = 24;

interface NgramIndex {
  /** All sequences of `length` letters in the text, sorted. */
  readonly ngrams: readonly string[];
  readonly length: number;
  /** Cached results of `longestMatchingSuffix`. The cache stays small, because few sequences of letters become long. */
  readonly nextMatches: Map<string, string>;
}

/** Cached per array, because all answers use the same array for the built-in instructions. */
const ngramIndexCache = new WeakMap<readonly string[], NgramIndex>();

function ngramIndexOf(parts: readonly string[]): NgramIndex {
  const runs = ngramIndexCache.get(parts) ?? buildNgramIndex(parts);
  ngramIndexCache.set(parts, runs);
  return runs;
}

const ideographPattern = new RegExp(`[${ideographs}]`, 'gu');

function buildNgramIndex(parts: readonly string[]): NgramIndex {
  const texts = parts.map(confusableSkeleton);
  const all = texts.join('');
  const dense = all.match(ideographPattern)?.length ?? 0;
  const weight = all === '' ? 1 : (all.length + 2 * dense) / all.length;
  const least = Math.min(ngramLength, Math.max(minNgramLength, Math.floor(all.length * weight)));
  const length = Math.ceil(least / weight);
  const ngrams = texts.flatMap((text) =>
    Array.from({ length: Math.max(0, text.length - length + 1) }, (_, start) =>
      text.slice(start, start + length),
    ),
  );
  return { ngrams: ngrams.sort(), length, nextMatches: new Map() };
}

/** Returns the same result as `confusableSkeleton`, but is faster for ASCII. */
function characterSkeleton(character: string): string {
  if (character > '\u007f') return confusableSkeleton(character);
  return /[a-z]/i.test(character) ? character.toLowerCase() : '';
}

const maxNextMatches = 5_000;

function nextMatch({ ngrams, nextMatches }: NgramIndex, letters: string): string {
  const known = nextMatches.get(letters);
  if (known !== undefined) return known;
  const match = longestMatchingSuffix(ngrams, letters);
  if (nextMatches.size >= maxNextMatches) nextMatches.clear();
  nextMatches.set(letters, match);
  return match;
}

/** Returns the longest suffix of `letters` that is a prefix of one of the n-grams. */
function longestMatchingSuffix(ngrams: readonly string[], letters: string): string {
  let rest = letters;
  while (rest !== '' && !lowerBound(ngrams, rest).startsWith(rest)) rest = rest.slice(1);
  return rest;
}

/**
 * Returns the first n-gram that is greater than or equal to `letters`, or '' if there is none. The n-grams are sorted.
 */
function lowerBound(ngrams: readonly string[], letters: string): string {
  let from = 0;
  let to = ngrams.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((ngrams[middle] ?? '') < letters) from = middle + 1;
    else to = middle;
  }
  return ngrams[from] ?? '';
}
