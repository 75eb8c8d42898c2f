import { withFullStop, wordCount } from '../text/readable-text.ts';
import type { RankedCandidate } from './rank-candidates.ts';

const maxSentences = 3;
const maxWords = 70;
/** Minimum score of a sentence as a share of the best score. Sentences below it are usually off topic. */
const minScoreRatio = 0.7;
/** Added to the score of the sentence after the best one, because it often continues the statement. */
const nextBonus = 0.1;
const previousBonus = 0.05;

/**
 * Returns one to three of the best sentences with their citation markers, best first. The reply contains no
 * near-duplicates and has at most 70 words, unless the best sentence alone is longer.
 */
export function composeReply(ranked: readonly RankedCandidate[]): string {
  const [best, ...others] = ranked;
  if (best === undefined) {
    return '';
  }
  const chosen = [best];
  let words = wordCount(best.text);
  for (const candidate of withNeighborBonus(best, others)) {
    const length = wordCount(candidate.text);
    const isWorthIt = candidate.score >= minScoreRatio * best.score && words + length <= maxWords;
    if (
      chosen.length < maxSentences &&
      isWorthIt &&
      !chosen.some((one) => isNearDuplicate(one, candidate))
    ) {
      chosen.push(candidate);
      words += length;
    }
  }
  return chosen.map(({ text, source }) => `${withFullStop(text)} [${source}]`).join(' ');
}

function withNeighborBonus(
  best: RankedCandidate,
  others: readonly RankedCandidate[],
): RankedCandidate[] {
  return others
    .map((candidate) => {
      const distance = candidate.source === best.source ? candidate.position - best.position : 0;
      const bonus = distance === 1 ? nextBonus : distance === -1 ? previousBonus : 0;
      return { ...candidate, score: candidate.score + bonus };
    })
    .sort((left, right) => right.score - left.score);
}

/** Returns true if the candidates share more than 60 % of the terms of the shorter one. */
function isNearDuplicate(left: RankedCandidate, right: RankedCandidate): boolean {
  const leftTerms = new Set(left.terms);
  const rightTerms = new Set(right.terms);
  const shared = [...leftTerms].filter((term) => rightTerms.has(term)).length;
  return shared > 0.6 * Math.min(leftTerms.size, rightTerms.size);
}
