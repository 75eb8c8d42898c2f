import type { Source } from '../models.ts';
import { answerCandidates } from './answer-candidates.ts';
import { scoreByWords } from './rank-candidates.ts';

/**
 * For each source, returns how well its best sentence, list or table row answers the question, judged by words and
 * form. The values range from about 0 to 2, and are 0 for a source without text. Compare only values of the same call.
 */
export function answerEvidence(question: string, sources: readonly Source[]): number[] {
  const evidence = sources.map(() => 0);
  for (const { source, score } of scoreByWords(question, answerCandidates(sources))) {
    evidence[source - 1] = Math.max(evidence[source - 1] ?? 0, score);
  }
  return evidence;
}
