import { answerEvidence } from '../../../models/extractive/answer-evidence.ts';
import type { Hit } from './hybrid-search.ts';

/** Number of hits to reorder. */
const depth = 6;

/**
 * Weight of the evidence, which is added to the score. Evidence is between 0 and about 2, the score between 0 and 1.
 */
const evidenceWeight = 0.15;

const exactPattern = /[\p{Nd}"“”„«»\x2f\\_@]/u;

/**
 * Reorders the first hits. A hit rises if one of its sentences looks like the answer, for example because it contains
 * the kind of fact that the query asks for. The n-th hit keeps the n-th score, because evidence has a different scale.
 * Queries with codes, numbers or quotations are not reordered: full-text search compares these as a whole, but the
 * evidence does not.
 */
export function rerankByEvidence(query: string, hits: readonly Hit[]): readonly Hit[] {
  if (exactPattern.test(query)) return hits;
  const candidates = hits.slice(0, depth);
  const evidence = answerEvidence(query, candidates);
  const ranked = candidates
    .map((hit, index) => ({ hit, value: hit.score + evidenceWeight * (evidence[index] ?? 0) }))
    .sort((left, right) => right.value - left.value);
  return hits.map((hit, rank) => ({ ...(ranked[rank]?.hit ?? hit), score: hit.score }));
}
