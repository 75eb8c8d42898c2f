import type { Source } from '../models.ts';
import { answerCandidates } from './answer-candidates.ts';
import { scoreByWords } from './rank-candidates.ts';

/**
 * Returns for each source how well its best sentence, list or table row answers the question by words and form, from
 * about 0 to 2. Comparable only between sources of one call. 0 for a source without any text.
 */
export function answerEvidence(question: string, sources: readonly Source[]): number[] {
  const evidence = sources.map(() => 0);
  for (const { source, score } of scoreByWords(question, answerCandidates(sources))) {
    evidence[source - 1] = Math.max(evidence[source - 1] ?? 0, score);
  }
  return evidence;
}
