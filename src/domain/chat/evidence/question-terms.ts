import { stopWords, withoutEmptyVerb } from '../../../text/stop-words.ts';
import { contentTerms, foldedWords } from '../../../text/terms.ts';
import { tokenize } from '../../../text/tokenize.ts';

/** The content terms of a question, in the order of the question, with their weights. */
export type QuestionTerms = ReadonlyMap<string, number>;

/**
 * Returns the content terms of a question. The weight of a term is its inverse document frequency in the project, so
 * rare words have the highest weight. `termWeights` contains the weights of the terms in the index (`hybridSearch`). A
 * word that is missing there gets the weight of the rarest term.
 */
export function questionTerms(
  question: string,
  termWeights: ReadonlyMap<string, number>,
): QuestionTerms {
  const terms = new Map<string, number>();
  const maxWeight = Math.max(minWeight, ...termWeights.values());
  for (const word of new Set(foldedWords(withoutEmptyVerb(question)))) {
    if (stopWords.has(word)) continue;
    // The index contains a word in several forms. The most frequent one shows how rare the word is.
    const weights = tokenize(word).flatMap((token) =>
      token.flatMap((form) => termWeights.get(form) ?? []),
    );
    const weight = Math.max(minWeight, Math.min(maxWeight, ...weights));
    for (const term of contentTerms(word)) terms.set(term, Math.max(weight, terms.get(term) ?? 0));
  }
  return terms;
}

/** Above 0, so that the weights of a question never sum to 0, even if every chunk contains all its words. */
const minWeight = 0.05;

/**
 * Returns the weighted share of the terms that a text contains. `partOf` returns, for each term, how much of it the
 * text contains, 0 to 1.
 */
export function weightedShare(terms: QuestionTerms, partOf: (term: string) => number): number {
  let found = 0;
  let total = 0;
  for (const [term, weight] of terms) {
    total += weight;
    found += weight * partOf(term);
  }
  return total === 0 ? 0 : found / total;
}

/** Returns the term with the highest weight, or null if there is none. */
export function rarestTerm(terms: QuestionTerms): string | null {
  const [first] = [...terms].sort(([, left], [, right]) => right - left);
  return first?.[0] ?? null;
}

/** Maximum distance between two near terms, in content words. */
const nearDistance = 4;

/**
 * Returns the share of pairs of adjacent question terms that are near each other in the text. Returns 0.5 if the
 * question has only one term.
 */
export function proximity(terms: QuestionTerms, textTerms: readonly string[]): number {
  const positions = new Map<string, number[]>();
  for (const [position, term] of textTerms.entries()) {
    if (terms.has(term)) positions.set(term, [...(positions.get(term) ?? []), position]);
  }
  const isNear = (left: string, right: string) =>
    (positions.get(left) ?? []).some((one) =>
      (positions.get(right) ?? []).some((other) => Math.abs(one - other) <= nearDistance),
    );
  let found = 0;
  let total = 0;
  let previous: readonly [string, number] | null = null;
  for (const [term, weight] of terms) {
    if (previous !== null) {
      const pairWeight = Math.sqrt(weight * previous[1]);
      total += pairWeight;
      if (isNear(previous[0], term)) found += pairWeight;
    }
    previous = [term, weight];
  }
  return total === 0 ? 0.5 : found / total;
}
