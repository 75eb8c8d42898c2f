import { stemmer } from '@orama/stemmers/english';
import { splitAtNames } from './named-stop-words.ts';
import { bigramScripts, unspacedScripts } from './scripts.ts';
import { characterBigrams, segmentWords } from './split-words.ts';
import { stopWords, withoutEmptyVerb } from './stop-words.ts';
import { fold, isAscii } from './tokenize.ts';

/**
 * Returns the content words of a text in order, including repetitions. Removes function words, except those that are
 * names (see `splitAtNames`). Stems the remaining words, so that paraphrases match. The result does not depend on the
 * language of the text, because the language of a single sentence cannot be detected. The terms of the index do depend
 * on it.
 */
export function contentTerms(text: string): string[] {
  const terms: string[] = [];
  const written = withoutEmptyVerb(text);
  const pieces = splitAtNames(written);
  if (pieces === null) addTerms(terms, written);
  else {
    for (const piece of pieces) {
      // Terms of names are in upper case, and all other terms in lower case.
      if (piece.isName) terms.push(piece.text.toUpperCase());
      else addTerms(terms, piece.text);
    }
  }
  return terms;
}

function addTerms(terms: string[], text: string): void {
  for (const word of foldedWords(text)) {
    const term = termOf(word);
    if (term !== null) terms.push(term);
  }
}

/** Whether there is at least one term and all terms are known. */
export function areAllKnown(terms: readonly string[], known: ReadonlySet<string>): boolean {
  return terms.length > 0 && terms.every((term) => known.has(term));
}

/** Whether a pattern matches a word that has an unknown term, such as a name that is not in the question. */
export function hasUnknownMatch(
  text: string,
  pattern: RegExp,
  known: ReadonlySet<string>,
): boolean {
  return [...text.matchAll(pattern)].some(([word]) =>
    contentTerms(word).some((term) => !known.has(term)),
  );
}

/** Returns the folded words of a text. Chinese, Japanese and Korean text becomes pairs of characters. */
export function foldedWords(text: string): string[] {
  return splitFoldedWords(fold(text));
}

/** Returns the words of a text that has already been folded. */
export function splitFoldedWords(folded: string): string[] {
  if (isAscii(folded)) return splitAsciiWords(folded);
  return [...folded.matchAll(wordPattern)].flatMap(({ 0: run, groups }) => {
    if (groups?.paired) return characterBigrams(run).flat();
    if (groups?.unspaced) return segmentWords(run).flat();
    return groups?.number ? [run.replace(/[.,]/g, '')] : [run];
  });
}

/** Returns the same words as `wordPattern`, but only for ASCII text and several times faster. */
function splitAsciiWords(folded: string): string[] {
  const words = folded.match(/[0-9]+(?:[.,][0-9]+)*|[A-Za-z]+/g) ?? [];
  return words.map((word) => (word.charAt(0) <= '9' ? word.replace(/[.,]/g, '') : word));
}

const wordPattern = new RegExp(
  String.raw`(?<paired>[${bigramScripts}]+)|(?<unspaced>[${unspacedScripts}]+)|(?<number>\p{N}+(?:[.,]\p{N}+)*)|(?:(?![${bigramScripts}${unspacedScripts}])[\p{L}\p{M}])+`,
  'gu',
);

/** Whether a term is a number. Numbers have a higher weight, because a wrong number makes a statement wrong. */
export function isNumber(term: string): boolean {
  return /^\p{N}+$/u.test(term);
}

/**
 * Digits that replace number words, because models write "2 years" for "two years". "one" is not included, because it
 * rarely means the number.
 */
const numerals: ReadonlyMap<string, string> = new Map([
  ...'zero,,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve,thirteen,fourteen,fifteen,sixteen,seventeen,eighteen,nineteen'
    .split(',')
    .map((word, value) => [word, String(value)] as const),
  ...'twenty,thirty,forty,fifty,sixty,seventy,eighty,ninety'
    .split(',')
    .map((word, index) => [word, String(10 * (index + 2))] as const),
]);

/** Terms of recently used words. A text repeats a few words often, and a look-up costs less than stemming. */
const knownTerms = new Map<string, string | null>();
const maxTerms = 20_000;
const maxStoredLength = 40;

/** Returns the stem of a folded word. Returns null if the word is a function word. */
function termOf(word: string): string | null {
  const known = knownTerms.get(word);
  if (known !== undefined) return known;
  const term = stopWords.has(word) ? null : computeStem(word);
  if (word.length > maxStoredLength) return term;
  if (knownTerms.size >= maxTerms) knownTerms.clear();
  knownTerms.set(word, term);
  return term;
}

/** Stems English words. Cuts other words of at least seven letters to six letters, because their endings vary. */
function computeStem(word: string): string {
  const digits = numerals.get(word);
  if (digits !== undefined) return digits;
  if (/^[a-z]+$/.test(word)) {
    return stemmer(word);
  }
  return /^\p{L}{7,}$/u.test(word) ? word.slice(0, 6) : word;
}

/**
 * Returns a function that computes the inverse document frequency of a term (as in BM25) over `texts`: ln(1 + (n - df +
 * 0.5) / (df + 0.5)). A term that is in no text has the highest weight.
 */
export function idfWeights(texts: readonly (readonly string[])[]): (term: string) => number {
  const frequency = new Map<string, number>();
  for (const terms of texts) {
    for (const term of new Set(terms)) {
      frequency.set(term, (frequency.get(term) ?? 0) + 1);
    }
  }
  return (term) => {
    const found = frequency.get(term) ?? 0;
    return Math.log(1 + (texts.length - found + 0.5) / (found + 0.5));
  };
}
