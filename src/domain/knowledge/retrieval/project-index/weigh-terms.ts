import { queryTerms } from '../../../../text/query-terms.ts';
import { estimateFrequencies } from '../corpus-statistics.ts';
import { substitutesOf } from '../hybrid-search.ts';
import type { ProjectIndex } from './project-index.ts';

export interface WeighedTerm {
  readonly term: string;
  /** Number of the term in the index, or -1 if no chunk contains it. */
  readonly number: number;
  /** Number of chunks that contain the term. */
  readonly chunks: number;
  /** Inverse document frequency as in Lucene. */
  readonly idf: number;
  /** Whether the term finds chunks. Other terms only raise the scores of chunks that are already found. */
  readonly isRare: boolean;
}

export interface WeighedTerms {
  readonly terms: readonly WeighedTerm[];
  /** Score of a chunk that contains every term many times. */
  readonly maxScore: number;
  /** Terms that no chunk contains. */
  readonly unknownTerms: ReadonlySet<string>;
}

/**
 * Returns the terms of a query with their weights in a project. Works as the steps `weight` and `bound` of
 * `hybridSearchSql`.
 */
export function weighTerms(index: ProjectIndex, query: string): WeighedTerms {
  const names = queryTerms(query);
  const chunks = Math.max(1, index.chunks);
  const numbers = names.map((name) => index.termNumber(name));
  const counts = numbers.map((number) => (number === -1 ? 0 : index.countChunks(number)));
  const termCounts = new Map(names.map((name, n) => [name, counts[n] ?? 0]));
  const statistics = { chunks, sampled: chunks, averageLength: 1, termCounts, indexedVectors: 0 };
  const frequencies = estimateFrequencies(statistics, names);
  const terms = names.map((term, n) => {
    const count = counts[n] ?? 0;
    const idf = Math.log(1 + (chunks - count + 0.5) / (count + 0.5));
    return {
      term,
      number: numbers[n] ?? -1,
      chunks: count,
      idf,
      isRare: frequencies[n]?.isRare ?? false,
    };
  });
  return {
    terms,
    maxScore: maxScoreOf(terms, substitutesOf(query, names)),
    unknownTerms: new Set(terms.filter((term) => term.chunks === 0).map(({ term }) => term)),
  };
}

/**
 * Returns the maximum possible score. A term that no chunk contains also counts. It does not count if it is its own
 * substitute, or if a chunk contains its substitute (`substitutesOf`).
 */
function maxScoreOf(terms: readonly WeighedTerm[], substitutes: readonly number[]): number {
  let sum = 0;
  terms.forEach(({ chunks, idf }, n) => {
    const substitute = substitutes[n] ?? 0;
    const isMissing =
      substitute === 0 || (substitute !== n + 1 && terms[substitute - 1]?.chunks === 0);
    if (chunks > 0 || isMissing) sum += idf;
  });
  return Math.max(sum, 1e-9);
}
