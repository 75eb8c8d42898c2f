import { stemmer } from '@orama/stemmers/english';
import { pairsOf, unspacedWords } from '../knowledge/split-words.ts';
import { fold } from '../knowledge/tokenize.ts';
import { stopWords } from './stop-words.ts';

/**
 * The words of a text that say what it is about, in order, each as often as it stands there: without
 * function words, reduced to a root, so that what a model rephrased is found again. Unlike the terms of the
 * index these do not depend on the language of the text around them, which a single sentence does not tell.
 */
export function contentTerms(text: string): string[] {
  return plainWords(text)
    .filter((word) => !stopWords.has(word))
    .map(rootOf);
}

/** The words of a text, folded; of Chinese, Japanese and Korean pairs of characters. */
export function plainWords(text: string): string[] {
  return [...fold(text).matchAll(runs)].flatMap(({ 0: run, groups }) => {
    if (groups?.paired) return pairsOf(run).flat();
    if (groups?.unspaced) return unspacedWords(run).flat();
    return groups?.number ? [run.replace(/[.,]/g, '')] : [run];
  });
}

const paired = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー`;
const unspaced = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const runs = new RegExp(
  String.raw`(?<paired>[${paired}]+)|(?<unspaced>[${unspaced}]+)|(?<number>\p{N}+(?:[.,]\p{N}+)*)|(?:(?![${paired}${unspaced}])[\p{L}\p{M}])+`,
  'gu',
);

/** Whether a term is a number: a wrong one makes a sentence wrong. */
export function isNumber(term: string): boolean {
  return /^\p{N}+$/u.test(term);
}

/** Models write "2 years" for "two years"; "one" is rarely a number. */
const numerals = [
  'zero',
  '',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
];

/** English is stemmed; of other long words the first letters count, as their endings are many. */
function rootOf(word: string): string {
  const digits = numerals.indexOf(word);
  if (digits !== -1) {
    return String(digits);
  }
  if (/^[a-z]+$/.test(word)) {
    return stemmer(word);
  }
  return /^\p{L}{7,}$/u.test(word) ? word.slice(0, 6) : word;
}

/**
 * How much each term says, by how few of `texts` hold it: ln(1 + (n - df + 0.5) / (df + 0.5)), the inverse
 * document frequency of BM25. A term that none holds has the highest weight.
 */
export function termWeights(texts: readonly (readonly string[])[]): (term: string) => number {
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
