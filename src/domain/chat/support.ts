import type { Source } from '../models/models.ts';
import { contentTerms, isNumber } from '../models/terms.ts';
import { citedStatements } from './statements.ts';

/** A number that is nowhere in the source counts as three words that are not. */
const numberWeight = 3;

/**
 * How far an answer is carried by what it cites, 0 to 1: the share of the content words and numbers of its
 * cited statements that stand in the sources these name. 0 for an answer that cites nothing.
 */
export function answerSupport(answer: string, sources: readonly Source[]): number {
  const termsOf = sources.map(
    ({ documentName, context, content }) =>
      new Set(contentTerms(`${documentName} ${context} ${content}`)),
  );
  let found = 0;
  let total = 0;
  for (const statement of citedStatements(answer)) {
    const grounds = statement.sources.map((number) => termsOf[number - 1]);
    for (const term of new Set(contentTerms(statement.text))) {
      const weight = isNumber(term) ? numberWeight : 1;
      total += weight;
      found += grounds.some((ground) => ground?.has(term)) ? weight : 0;
    }
  }
  return total === 0 ? 0 : found / total;
}
