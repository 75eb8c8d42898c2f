import type { Source } from '../models/models.ts';
import { isSameLanguage } from '../models/same-language.ts';
import { contentTerms, isNumber } from '../models/terms.ts';
import { citedStatements } from './statements.ts';

/** A number that is nowhere in the source counts as three words that are not. */
const numberWeight = 3;

/** A claim in another language than its source, by its numbers: none found, all found, none to look for. */
const foreign = { noneFound: 0.4, allFound: 1, unknown: 0.75 };

/**
 * How far an answer is carried by what it cites, 0 to 1: the share of its content words and numbers that
 * stand in the sources it names, for each cited statement in those named there, for the rest in any of them;
 * the lower of the two. 0 for an answer that cites nothing.
 */
export function answerSupport(answer: string, sources: readonly Source[]): number {
  const statements = citedStatements(answer);
  const cited = new Set(statements.flatMap((statement) => statement.sources));
  const whole = { text: answer.replace(/\[\d{1,3}\]/g, ''), sources: [...cited] };
  return Math.min(shareFound(statements, sources), shareFound([whole], sources));
}

interface Claim {
  readonly text: string;
  readonly sources: readonly number[];
}

function shareFound(claims: readonly Claim[], sources: readonly Source[]): number {
  let found = 0;
  let total = 0;
  for (const claim of claims) {
    const grounds = claim.sources.flatMap((number) => textOf(sources[number - 1]));
    const words = judge(claim.text, grounds.join('\n'));
    found += words.found;
    total += words.total;
  }
  return total === 0 ? 0 : found / total;
}

function textOf(source: Source | undefined): string[] {
  return source ? [`${source.documentName}\n${source.context}\n${source.content}`] : [];
}

function judge(text: string, ground: string): { found: number; total: number } {
  const known = new Set(contentTerms(ground));
  const terms = [...new Set(contentTerms(text))];
  const total = weigh(terms);
  if (ground === '' || isSameLanguage(text, ground)) {
    return { found: weigh(terms.filter((term) => known.has(term))), total };
  }
  const numbers = terms.filter(isNumber);
  const found = numbers.filter((number) => known.has(number)).length / numbers.length;
  const { noneFound, allFound, unknown } = foreign;
  const share = numbers.length === 0 ? unknown : noneFound + (allFound - noneFound) * found;
  return { found: share * total, total };
}

function weigh(terms: readonly string[]): number {
  return terms.reduce((sum, term) => sum + (isNumber(term) ? numberWeight : 1), 0);
}
