import { tokenize } from '../knowledge/tokenize.ts';
import { stopWords } from './stop-words.ts';

/**
 * The words of a text that say what it is about, in order, each as often as it stands there: without
 * function words, reduced to a root, so that what a model rephrased is found again. Scripts without spaces
 * give pairs of characters.
 */
export function contentTerms(text: string): string[] {
  return tokenize(text)
    .map((token) => token.at(-1) ?? '')
    .filter((term) => !stopWords.has(term))
    .map(rootOf);
}

/** Whether a term is a number: a wrong one makes a sentence wrong. */
export function isNumber(term: string): boolean {
  return /^\p{Nd}+$/u.test(term);
}

/** English endings go; of other long words the first letters count, as endings are many. */
function rootOf(term: string): string {
  if (/^[a-z]{5,}$/.test(term)) {
    return term.replace(/(?:ies|ied)$/, 'y').replace(/(?:ing|ed|es|ly|s|e)$/, '');
  }
  return /^\p{L}{8,}$/u.test(term) ? term.slice(0, 7) : term;
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
