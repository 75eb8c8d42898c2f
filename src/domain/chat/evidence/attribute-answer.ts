import type { Source } from '../../../models/models.ts';
import { sentencesOf } from '../../../text/sentences.ts';
import { contentTerms } from '../../../text/terms.ts';
import { scoreClaim, termsIn, textOf, weigh } from './answer-support.ts';
import type { Statement } from './cited-statements.ts';

/**
 * Minimum support that a source must give a sentence. High enough to exclude chance: a sentence that only repeats words
 * of the question does not reach it.
 */
const minShare = 0.6;
/** Minimum weight of the words and numbers that a sentence and its source have in common. */
const minCommonWeight = 3;
/** Only this many sentences of an answer are compared with the sources. Most answers are much shorter. */
const maxSentences = 60;

/**
 * Attributes the sentences of an answer without citation markers to the sources that support them best. Returns the
 * supported sentences only.
 */
export function attributeAnswer(answer: string, sources: readonly Source[]): Statement[] {
  const texts = sources.map((source) => termsIn(textOf(source)));
  return sentencesOf(answer)
    .slice(0, maxSentences)
    .flatMap(({ text }) => {
      const terms = [...new Set(contentTerms(text))];
      const scores = texts.map((known, index) => {
        const common = weigh(terms.filter((term) => known.has(term)));
        if (common < minCommonWeight) return 0;
        const { found, total, maxShare } = scoreClaim({ text, sources: [index + 1] }, sources);
        return Math.min(maxShare, found / total);
      });
      const best = Math.max(0, ...scores);
      return best < minShare ? [] : [{ text, sources: [scores.indexOf(best) + 1] }];
    });
}
