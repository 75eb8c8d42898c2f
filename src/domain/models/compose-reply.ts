import type { RankedCandidate } from './rank-candidates.ts';
import { closed, wordCount } from './readable.ts';

const maxSentences = 3;
const maxWords = 70;
/** What scores less than this share of the best is another matter. */
const minShare = 0.7;
/** Sentences beside the best one often go on with what it says. */
const nextBonus = 0.1;
const previousBonus = 0.05;

/**
 * The best sentences as a reply, best first, each with its marker: one to three, at most 70 words unless the
 * best alone is longer, none that says again what is said.
 */
export function composeReply(ranked: readonly RankedCandidate[]): string {
  const [best, ...others] = ranked;
  if (best === undefined) {
    return '';
  }
  const chosen = [best];
  let words = wordCount(best.text);
  for (const candidate of besideFirst(best, others)) {
    const length = wordCount(candidate.text);
    const isWorthIt = candidate.score >= minShare * best.score && words + length <= maxWords;
    if (
      chosen.length < maxSentences &&
      isWorthIt &&
      !chosen.some((one) => isSame(one, candidate))
    ) {
      chosen.push(candidate);
      words += length;
    }
  }
  return chosen.map(({ text, source }) => `${closed(text)} [${source}]`).join(' ');
}

function besideFirst(best: RankedCandidate, others: readonly RankedCandidate[]): RankedCandidate[] {
  return others
    .map((candidate) => {
      const distance = candidate.source === best.source ? candidate.position - best.position : 0;
      const bonus = distance === 1 ? nextBonus : distance === -1 ? previousBonus : 0;
      return { ...candidate, score: candidate.score + bonus };
    })
    .sort((left, right) => right.score - left.score);
}

/** More than half of the words of the shorter one stand in the other. */
function isSame(left: RankedCandidate, right: RankedCandidate): boolean {
  const leftTerms = new Set(left.terms);
  const rightTerms = new Set(right.terms);
  const shared = [...leftTerms].filter((term) => rightTerms.has(term)).length;
  return shared > 0.6 * Math.min(leftTerms.size, rightTerms.size);
}
