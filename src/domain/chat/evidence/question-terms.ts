import { stopWords, withoutEmptyVerb } from '../../../text/stop-words.ts';
import { contentTerms, foldedWords } from '../../../text/terms.ts';
import { tokenize } from '../../../text/tokenize.ts';

/** The content terms of a question in order, and their weights. */
export type QuestionTerms = ReadonlyMap<string, number>;

/**
 * Returns the content terms of a question. The weight of a term is its inverse document frequency in the project, so
 * that rare words count most. `termWeights` are those of the terms of the index (`hybridSearch`); a word that is not
 * among them is as rare as the rarest of them.
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

/** Above 0, so that the question has a weight if every chunk contains its words. */
const minWeight = 0.05;

/** Returns the share of the terms, by weight, that a text contains. `partOf` returns 0 to 1 for each term. */
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

/** Maximum distance in content words. */
const nearDistance = 4;

/**
 * Returns the share of pairs of adjacent terms of the question that are near each other in the text. 0.5 if the
 * question has one term.
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
