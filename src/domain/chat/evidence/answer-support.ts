import type { Source } from '../../../models/models.ts';
import { memoize } from '../../../text/memoize.ts';
import { isSameLanguage } from '../../../text/same-language.ts';
import { sentencesOf } from '../../../text/sentences.ts';
import { contentTerms, isNumber } from '../../../text/terms.ts';
import { citedStatements, type Statement } from './cited-statements.ts';

/** A number counts as much as this many words. */
const numberWeight = 3;

/**
 * Support of a claim in a different language from its sources. Words cannot be compared between languages, so only the
 * claim's numbers count. `noneFound`: the sources contain none of them; `allFound`: all of them; `unknown`: the claim
 * has no numbers.
 */
const crossLanguageShares = { noneFound: 0.4, allFound: 1, unknown: 0.75 };

/**
 * Returns how well the cited sources support an answer, 0 to 1; 0 if the answer cites nothing. `statements` are the
 * cited statements of the answer, or its sentences that were attributed to sources.
 *
 * Support is the share of content words and numbers that the sources contain. It is computed for each cited statement
 * with the sources of that statement, and for the whole answer with all cited sources. The lowest of these values
 * counts. So one unsupported statement or sentence lowers the result, even in a long answer.
 */
export function answerSupport(
  answer: string,
  sources: readonly Source[],
  statements: readonly Statement[] = citedStatements(answer),
): number {
  const cited = [...new Set(statements.flatMap((statement) => statement.sources))];
  const text = answer.replace(/\[\d{1,3}\]/g, '').replace(listNumber, '');
  const scores = statements.map((statement) => scoreClaim(statement, sources));
  const whole = scoreClaim({ text, sources: cited }, sources);
  const sentences = sentencesOf(text)
    .map((sentence) => scoreClaim({ text: sentence.text, sources: cited }, sources))
    .filter(({ total, maxShare: worth }) => total >= minSentenceTerms || worth < 1);
  return Math.min(
    shareFound(scores),
    shareFound([whole]),
    worstStatementAllowance + lowest(scores),
    lowest(sentences) < minSentenceShare ? maxSupportIfUnsupported : 1,
  );
}

const listNumber = /^[^\S\n\r\u2028\u2029]*\d{1,2}[.)]\s/gm;

/** The support of an answer is at most this value plus the support of its least supported cited statement. */
const worstStatementAllowance = 0.5;

/**
 * Maximum support of an answer if one of its sentences has a support below `minSentenceShare`. Sentences with fewer
 * than `minSentenceTerms` content words may be pleasantries. They are ignored, unless they contain a wrong number or an
 * unknown name.
 */
const maxSupportIfUnsupported = 0.7;
const minSentenceShare = 1 / 3;
const minSentenceTerms = 5;

/** Maximum support of a claim with a number or a name that its sources do not contain. */
const maxShareWithWrongNumber = 0.1;
const maxShareWithUnknownName = 0.2;

export interface ClaimScore {
  /**
   * Weighted number of the claim's content words that the sources contain (`found`), and of all its content words
   * (`total`).
   */
  readonly found: number;
  readonly total: number;
  /** Maximum support of the claim, 0 to 1. */
  readonly maxShare: number;
}

function shareFound(scores: readonly ClaimScore[]): number {
  const total = scores.reduce((sum, score) => sum + score.total, 0);
  return total === 0 ? 0 : scores.reduce((sum, { found }) => sum + found, 0) / total;
}

function lowest(scores: readonly ClaimScore[]): number {
  const shares = scores
    .filter(({ total }) => total > 0)
    .map((score) => Math.min(score.maxShare, shareFound([score])));
  return Math.min(1, ...shares);
}

export function textOf({ documentName, context, content }: Source): string {
  return `${documentName}\n${context}\n${content}`;
}

/**
 * Returns the content terms of one or more sources. Memoized, because each sentence of an answer is compared with the
 * same sources.
 */
export const termsIn = memoize(
  (text: string): ReadonlySet<string> => new Set(contentTerms(text)),
  (text) => text,
  64,
);

/** Scores a claim against the sources that it cites. `claim.sources` are positions in `sources`, from 1. */
export function scoreClaim(claim: Statement, sources: readonly Source[]): ClaimScore {
  const text = claim.text.replace(listNumber, '');
  const sourceText = claim.sources
    .flatMap((number) => sources[number - 1] ?? [])
    .map(textOf)
    .join('\n');
  const known = termsIn(sourceText);
  const terms = [...new Set(contentTerms(text))];
  const total = weigh(terms);
  const numbers = terms.filter(isNumber);
  const missing = numbers.filter((number) => !known.has(number));
  const maxShare = sourceText === '' ? 1 : maxShareOf(text, sourceText, { missing, known });
  if (sourceText === '' || isSameLanguage(text, sourceText)) {
    return { found: weigh(terms.filter((term) => known.has(term))), total, maxShare };
  }
  const found = (numbers.length - missing.length) / numbers.length;
  const { noneFound, allFound, unknown } = crossLanguageShares;
  const share = numbers.length === 0 ? unknown : noneFound + (allFound - noneFound) * found;
  return { found: share * total, total, maxShare };
}

/**
 * Returns the maximum support of a claim. Numbers up to 12 and names are checked only if the claim and the sources are
 * English: other languages may write small numbers as words, and the code does not recognize their names. Numbers are
 * not checked if the claim contains a time of day, because sources may format times differently.
 */
function maxShareOf(
  text: string,
  sourceText: string,
  { missing, known }: { readonly missing: readonly string[]; readonly known: ReadonlySet<string> },
): number {
  const isEnglish = englishPattern.test(text) && englishPattern.test(sourceText);
  const isSpelled = (number: string) => Number(number) <= maxSpelledNumber && !isEnglish;
  const wrong = missing.filter((number) => Number(number) > 0 && !isSpelled(number));
  if (wrong.length > 0 && !timeOfDay.test(text)) return maxShareWithWrongNumber;
  const names = isEnglish
    ? [...text.matchAll(namePattern)].flatMap(([found]) => contentTerms(found))
    : [];
  return names.every((term) => known.has(term)) ? 1 : maxShareWithUnknownName;
}

const englishPattern = /\b(?:the|and|are|you|your|with)\b/i;
const maxSpelledNumber = 12;
const timeOfDay = /\d\s?[ap]\.?m\b|\d:\d\d/i;
const namePattern = /(?<=[\p{Ll}\p{Nd},] )\p{Lu}[\p{L}\p{N}]+/gu;

/** Returns the weighted number of terms: a number counts as much as `numberWeight` words. */
export function weigh(terms: readonly string[]): number {
  return terms.reduce((sum, term) => sum + (isNumber(term) ? numberWeight : 1), 0);
}
