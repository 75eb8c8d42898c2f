import type { Source } from '../models/models.ts';
import { isSameLanguage } from '../models/same-language.ts';
import { sentencesOf } from '../models/sentences.ts';
import { contentTerms, isNumber } from '../models/terms.ts';
import { citedStatements } from './statements.ts';

/** A number that is nowhere in the source counts as three words that are not. */
const numberWeight = 3;

/** A claim in another language than its source, by its numbers: none found, all found, none to look for. */
const foreign = { noneFound: 0.4, allFound: 1, unknown: 0.75 };

/**
 * How far an answer is carried by what it cites, 0 to 1: the share of its content words and numbers that
 * stand in the sources it names, for each cited statement in those named there, for the rest in any of them;
 * the lower of the two. One statement or sentence that is not carried lowers it however long the others are.
 * 0 for an answer that cites nothing.
 */
export function answerSupport(answer: string, sources: readonly Source[]): number {
  const statements = citedStatements(answer);
  const cited = [...new Set(statements.flatMap((statement) => statement.sources))];
  const text = answer.replace(/\[\d{1,3}\]/g, '').replace(listNumber, '');
  const judged = statements.map((statement) => judge(statement, sources));
  const whole = judge({ text, sources: cited }, sources);
  const sentences = sentencesOf(text)
    .map((sentence) => judge({ text: sentence.text, sources: cited }, sources))
    .filter(({ total, worth }) => total >= minSentence || worth < 1);
  return Math.min(
    shareFound(judged),
    shareFound([whole]),
    statementSlack + lowest(judged),
    lowest(sentences) < minSentenceShare ? maxWithUnsupported : 1,
  );
}

const listNumber = /^\s*\d{1,2}[.)]\s/gm;

/** What a statement of which nothing is found leaves of the support of an answer of any length. */
const statementSlack = 0.5;

/**
 * What a sentence leaves of it that need not cite anything itself, where less than a third of it is found in all that is
 * cited. It says something if it has so many content words: pleasantries are shorter.
 */
const maxWithUnsupported = 0.7;
const minSentenceShare = 1 / 3;
const minSentence = 5;

/** The share of a claim's words that counts at most where a number of it, or a name, is not in its sources. */
const worthWithNumber = 0.1;
const worthWithName = 0.2;

interface Claim {
  readonly text: string;
  readonly sources: readonly number[];
}

interface Judgement {
  /** Content words, by their weight. */
  readonly found: number;
  readonly total: number;
  /** What share of it can count at most. */
  readonly worth: number;
}

function shareFound(judgements: readonly Judgement[]): number {
  const total = judgements.reduce((sum, judgement) => sum + judgement.total, 0);
  return total === 0 ? 0 : judgements.reduce((sum, { found }) => sum + found, 0) / total;
}

function lowest(judgements: readonly Judgement[]): number {
  const shares = judgements
    .filter(({ total }) => total > 0)
    .map((judgement) => Math.min(judgement.worth, shareFound([judgement])));
  return Math.min(1, ...shares);
}

function textOf(source: Source | undefined): string[] {
  return source ? [`${source.documentName}\n${source.context}\n${source.content}`] : [];
}

function judge(claim: Claim, sources: readonly Source[]): Judgement {
  const text = claim.text.replace(listNumber, '');
  const ground = claim.sources.flatMap((number) => textOf(sources[number - 1])).join('\n');
  const known = new Set(contentTerms(ground));
  const terms = [...new Set(contentTerms(text))];
  const total = weigh(terms);
  const numbers = terms.filter(isNumber);
  const missing = numbers.filter((number) => !known.has(number));
  const worth = ground === '' ? 1 : worthOf(text, ground, { missing, known });
  if (ground === '' || isSameLanguage(text, ground)) {
    return { found: weigh(terms.filter((term) => known.has(term))), total, worth };
  }
  const found = (numbers.length - missing.length) / numbers.length;
  const { noneFound, allFound, unknown } = foreign;
  const share = numbers.length === 0 ? unknown : noneFound + (allFound - noneFound) * found;
  return { found: share * total, total, worth };
}

/**
 * Only English is known so well that small numbers are found when they are spelled, and large initials are those of
 * names. A time of day may be written in another way.
 */
function worthOf(
  text: string,
  ground: string,
  { missing, known }: { readonly missing: readonly string[]; readonly known: ReadonlySet<string> },
): number {
  const isEnglish = english.test(text) && english.test(ground);
  const isSpelled = (number: string) => Number(number) <= maxSpelled && !isEnglish;
  const wrong = missing.filter((number) => Number(number) > 0 && !isSpelled(number));
  if (wrong.length > 0 && !timeOfDay.test(text)) return worthWithNumber;
  const names = isEnglish ? [...text.matchAll(name)].flatMap(([found]) => contentTerms(found)) : [];
  return names.every((term) => known.has(term)) ? 1 : worthWithName;
}

const english = /\b(?:the|and|are|you|your|with)\b/i;
const maxSpelled = 12;
const timeOfDay = /\d\s?[ap]\.?m\b|\d:\d\d/i;
const name = /(?<=[\p{Ll}\p{Nd},] )\p{Lu}[\p{L}\p{N}]+/gu;

function weigh(terms: readonly string[]): number {
  return terms.reduce((sum, term) => sum + (isNumber(term) ? numberWeight : 1), 0);
}
