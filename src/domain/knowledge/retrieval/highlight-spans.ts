import { bigramScripts, unspacedScripts } from '../../../text/scripts.ts';
import { segmentWords } from '../../../text/split-words.ts';
import { stopWords } from '../../../text/stop-words.ts';
import { fold, tokenize } from '../../../text/tokenize.ts';

/** A range of a text in Unicode code points; `end` is exclusive. */
export interface WordSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the words of a text that full-text search matches for a query, in order. A word matches if it has a term in
 * common with the query, so other forms of a query word also match. Excludes function words.
 */
export function highlightSpans(query: string, text: string): WordSpan[] {
  const stopTerms = new Set(
    locateWords(query)
      .filter(({ word }) => stopWords.has(fold(word)))
      .flatMap(({ word }) => tokenize(word).flat()),
  );
  const wantedTerms = new Set(
    tokenize(query)
      .flat()
      .filter((term) => !stopTerms.has(term)),
  );
  const matchCache = new Map<string, boolean>();
  const isWanted = (word: string) => {
    const isMatch =
      matchCache.get(word) ??
      tokenize(word).some((token) => token.some((term) => wantedTerms.has(term)));
    matchCache.set(word, isMatch);
    return isMatch;
  };
  return mergeOverlapping(locateWords(text).filter(({ word }) => isWanted(word)));
}

interface WordOccurrence extends WordSpan {
  readonly word: string;
}

const runPattern = new RegExp(
  String.raw`(?<paired>[${bigramScripts}]+)|(?<unspaced>[${unspacedScripts}]+)|(?:(?![${bigramScripts}${unspacedScripts}])[\p{L}\p{M}\p{N}])+`,
  'gu',
);

/**
 * Returns the words of a text with their ranges. Finds word boundaries in the same way as the index does (`tokenize`).
 */
function locateWords(text: string): WordOccurrence[] {
  const words: WordOccurrence[] = [];
  let scannedTo = 0;
  let start = 0;
  for (const { 0: run, index, groups } of text.matchAll(runPattern)) {
    start += [...text.slice(scannedTo, index)].length;
    scannedTo = index;
    if (groups?.paired) words.push(...locateBigrams(run, start));
    else if (groups?.unspaced) words.push(...locateSegments(run, start));
    else words.push({ word: run, start, end: start + [...run].length });
  }
  return words;
}

function locateBigrams(run: string, start: number): WordOccurrence[] {
  const letters = [...run];
  if (letters.length === 1) return [{ word: run, start, end: start + 1 }];
  return letters.slice(1).map((letter, offset) => ({
    word: `${letters[offset]}${letter}`,
    start: start + offset,
    end: start + offset + 2,
  }));
}

function locateSegments(run: string, start: number): WordOccurrence[] {
  let offset = start;
  return segmentWords(run).map(([word = '']) => {
    const placed = { word, start: offset, end: offset + [...word].length };
    offset = placed.end;
    return placed;
  });
}

/** Merges overlapping ranges, because character pairs overlap. */
function mergeOverlapping(words: readonly WordOccurrence[]): WordSpan[] {
  const spans: WordSpan[] = [];
  for (const { start, end } of words) {
    const last = spans.at(-1);
    if (last !== undefined && start < last.end) spans[spans.length - 1] = { ...last, end };
    else spans.push({ start, end });
  }
  return spans;
}
