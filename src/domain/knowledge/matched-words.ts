import { stopWords } from '../models/stop-words.ts';
import { unspacedWords } from './split-words.ts';
import { fold, tokenize } from './tokenize.ts';

/** A part of a text, in Unicode code points, the end not included. */
export interface WordSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * The words of a text by which the full text search finds it for a query, in order: in any form that has a term in
 * common. Function words are left out, as they say nothing.
 */
export function matchedWords(query: string, text: string): WordSpan[] {
  const empty = new Set(
    wordsIn(query)
      .filter(({ word }) => stopWords.has(fold(word)))
      .flatMap(({ word }) => tokenize(word).flat()),
  );
  const wanted = new Set(
    tokenize(query)
      .flat()
      .filter((term) => !empty.has(term)),
  );
  const known = new Map<string, boolean>();
  const isWanted = (word: string) => {
    const isMatch = known.get(word) ?? tokenize(word).some((t) => t.some((o) => wanted.has(o)));
    known.set(word, isMatch);
    return isMatch;
  };
  return joined(wordsIn(text).filter(({ word }) => isWanted(word)));
}

interface PlacedWord extends WordSpan {
  readonly word: string;
}

const paired = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー`;
const unspaced = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const runs = new RegExp(
  String.raw`(?<paired>[${paired}]+)|(?<unspaced>[${unspaced}]+)|(?:(?![${paired}${unspaced}])[\p{L}\p{M}\p{N}])+`,
  'gu',
);

/** Cut as the index cuts them. */
function wordsIn(text: string): PlacedWord[] {
  const words: PlacedWord[] = [];
  let read = 0;
  let start = 0;
  for (const { 0: run, index, groups } of text.matchAll(runs)) {
    start += [...text.slice(read, index)].length;
    read = index;
    if (groups?.paired) words.push(...pairsIn(run, start));
    else if (groups?.unspaced) words.push(...segmentsOf(run, start));
    else words.push({ word: run, start, end: start + [...run].length });
  }
  return words;
}

function pairsIn(run: string, start: number): PlacedWord[] {
  const letters = [...run];
  if (letters.length === 1) return [{ word: run, start, end: start + 1 }];
  return letters.slice(1).map((letter, at) => ({
    word: `${letters[at]}${letter}`,
    start: start + at,
    end: start + at + 2,
  }));
}

function segmentsOf(run: string, start: number): PlacedWord[] {
  let at = start;
  return unspacedWords(run).map(([word = '']) => {
    const placed = { word, start: at, end: at + [...word].length };
    at = placed.end;
    return placed;
  });
}

/** Pairs overlap. */
function joined(words: readonly PlacedWord[]): WordSpan[] {
  const spans: WordSpan[] = [];
  for (const { start, end } of words) {
    const last = spans.at(-1);
    if (last !== undefined && start < last.end) spans[spans.length - 1] = { ...last, end };
    else spans.push({ start, end });
  }
  return spans;
}
