import { withFullStop, wordCount } from '../../text/readable-text.ts';
import { selectColumns } from '../../text/row-text.ts';
import { contentTerms } from '../../text/terms.ts';
import { isFormulaFor } from './answer-form.ts';
import { asksForConfirmation, asksForList, asksForOneFact, isEnumeration } from './answer-type.ts';
import { isAboutOtherPeriods } from './asked-periods.ts';
import { asksForPerson, namesPerson } from './asked-person.ts';
import { isOfOppositeList } from './opposite-list.ts';
import { bestOfParts } from './question-parts.ts';
import type { RankedCandidate } from './rank-candidates.ts';
import { haveSameForm } from './sentence-form.ts';
import { shownText } from './shown-text.ts';
import { yesNoLead } from './yes-no.ts';

const maxSentences = 3;
/** Minimum that a second sentence must add to the score. Otherwise it is left out. */
const maxSequelGain = 0.15;
const maxWords = 90;
/** Maximum number of words if the sentences are from several sections. */
const maxWordsOfSections = 70;
/** Minimum share for a sentence of another section. Below it, the choice of the best section is clear. */
const minRatioOfOtherSection = 0.9;
/** The same if the reader has not read the sentences, so that the choice is less certain. */
const minRatioUnread = 0.8;
/** Minimum score of a further sentence, as a share of the best score. Sentences below it are usually off topic. */
const minScoreRatio = 0.8;
const minRatioOfOtherDocument = 0.85;
/** Minimum share if the question asks for one fact, such as a number, and the best sentence contains it. */
const minRatioAfterFact = 0.8;
/** In the same case, minimum share for the sentences directly before and after the best sentence. */
const minNeighborRatioAfterFact = 0.75;
/** In the same case, added to the minimum share for a sentence that names no condition or exception. */
const notQualifying = 0.1;
/** In the same case, minimum share for a sentence that does not contain such a fact. */
const minRatioWithoutFact = 0.95;
/** Added to the score of the sentence directly after the best sentence, because it often continues the statement. */
const nextBonus = 0.2;
const previousBonus = 0.1;

/**
 * Returns one to three of the best sentences with their citation markers, best first. The reply has at most 90 words,
 * unless the best sentence or list alone is longer. It contains no near-duplicates. If the question asks for rows of a
 * table by a value, returns all these rows instead. `written` is the question as the
 * user wrote it. `question` may also contain words of the conversation.
 */
export function composeReply(
  question: string,
  ranked: readonly RankedCandidate[],
  written = question,
): string {
  const rows = ranked.filter(({ isAskedRow }) => isAskedRow);
  if (rows.length > 0) {
    const headings = new Set(rows.map(({ heading }) => heading));
    return cite(
      rows.map((row) => {
        const text = shownText(question, row, written);
        return { ...row, text: headings.size > 1 ? `${row.heading}: ${text}` : text };
      }),
    );
  }
  const parts = bestOfParts(question, ranked);
  if (parts.length > 1) {
    return cite(parts.map((best) => ({ ...best, text: shownText(question, best, written) })));
  }
  const [found, ...others] = ranked;
  const first = found && withoutSequel(found, others);
  if (first === undefined) {
    return '';
  }
  const block = blockOf(written, first, others);
  const best = { ...first, text: block ?? shownText(question, first, written) };
  const isWhole = first.kind === 'list' || first.kind === 'steps' || first.askedAbove.length > 0;
  if (isWhole) return cite([best]);
  const asked = new Set(contentTerms(question));
  const isFormula = isFormulaFor(question);
  const isOtherPeriod = isAboutOtherPeriods(question);
  const isOpposite = isOfOppositeList(question);
  const isCellGiven = first.row !== null && selectColumns(first.row, written) !== first.row;
  const isListGiven = asksForList(question) && isListText(best);
  const isDecided = yesNoLead(written, first) !== null;
  const isAskedPeriod = !isOtherPeriod(first.text);
  const mayBeLimited = asksForConfirmation(question) || asksForOneFact(question);
  const limit = mayBeLimited ? others.find((other) => isLimitOf(best, other)) : undefined;
  const chosen: RankedCandidate[] = limit === undefined ? [best] : [best, limit];
  let words = chosen.reduce((sum, { text }) => sum + wordCount(text), 0);
  for (const other of withNeighborBonus(best, others)) {
    const candidate = { ...other, text: shownText(question, other, written) };
    const length = wordCount(candidate.text);
    const isWorthIt = other.score >= minRatio(question, best, other) * best.score;
    if (
      chosen.length < maxSentences &&
      (isInSameSection(first, other)
        ? block === null
        : other.score >= minRatioOf(first) * first.score && words + length <= maxWordsOfSections) &&
      isWorthIt &&
      !isDoubted(best, other) &&
      !(isListGiven && !isMoreLikely(best, other)) &&
      !(isCellGiven && other.kind !== 'row') &&
      // After "yes" or "no", a further sentence with a negation is often about another subject.
      !(isDecided && !exceptionPattern.test(candidate.text)) &&
      !isFormula(candidate.text) &&
      !isOpposite(other) &&
      isAsGoodInKind(asked, best, other) &&
      !(isAskedPeriod && isOtherPeriod(other.text)) &&
      words + length <= maxWords &&
      !chosen.some((one) => isSameList(one, candidate) || isNearDuplicate(asked, one, candidate))
    ) {
      chosen.push(candidate);
      words += length;
    }
  }
  return cite(chosen);
}

function cite(chosen: readonly Pick<RankedCandidate, 'text' | 'source'>[]): string {
  return chosen.map(({ text, source }) => `${withFullStop(text)} [${source}]`).join(' ');
}

/**
 * Returns the sentence to use as the best one. A candidate that starts with a pronoun ("It …") also contains the
 * sentence before it. If it adds little, returns only the sentence before it.
 */
function withoutSequel(best: RankedCandidate, others: readonly RankedCandidate[]): RankedCandidate {
  const shorter = others.find(
    ({ source, text }) => source === best.source && best.text.startsWith(`${text} `),
  );
  return shorter !== undefined && shorter.score >= best.score - maxSequelGain ? shorter : best;
}

/** Whether the reader doubts that the other text is an answer, and considers the best text much more likely. */
function isDoubted(best: RankedCandidate, other: RankedCandidate): boolean {
  if (best.logOdds === null || other.logOdds === null) return false;
  return other.logOdds < Math.min(0, best.logOdds - maxLessLikely);
}

/** Difference in log-odds. */
const maxLessLikely = 2;

function isListText({ kind, text }: RankedCandidate): boolean {
  return kind === 'list' || kind === 'steps' || isEnumeration(text);
}

/** Whether the reader considers another text more likely than the best one. */
function isMoreLikely(best: RankedCandidate, other: RankedCandidate): boolean {
  return (other.logOdds ?? 0) > (best.logOdds ?? 0);
}

/**
 * Whether a text limits the statement of the best text: it follows directly, is short, and starts with "however" or
 * "but".
 */
function isLimitOf(best: RankedCandidate, other: RankedCandidate): boolean {
  const isNext = other.source === best.source && other.position === best.position + 1;
  return isNext && other.isLimitation && wordCount(other.text) <= maxLimitWords;
}

const maxLimitWords = 25;

function isSameList(left: RankedCandidate, right: RankedCandidate): boolean {
  return left.list !== null && left.source === right.source && left.list.list === right.list?.list;
}

/**
 * Whether another candidate of the same kind fits the question as well as the best one. Compares rows of the same
 * table, steps, and sentences of the same form, such as "The head of QA is Nils" and "The head of IT is Omar". Returns
 * false if the other candidate and its headings contain fewer words of the question.
 */
function isAsGoodInKind(
  asked: ReadonlySet<string>,
  best: RankedCandidate,
  other: RankedCandidate,
): boolean {
  if (best.kind !== other.kind) return true;
  if (best.kind === 'row' && !isSameTable(best, other)) return true;
  if (best.kind === 'list') return true;
  const found = (one: RankedCandidate) =>
    [...asked].filter((term) => one.terms.includes(term) || one.topic.includes(term));
  const ofOther = found(other);
  const ofBest = found(best);
  if (best.kind !== 'sentence') return ofOther.length >= ofBest.length;
  const isLess = ofOther.length < ofBest.length && ofOther.every((term) => ofBest.includes(term));
  return !isLess || !haveSameForm(best.text, other.text);
}

/**
 * Returns the block of the best candidate, or null if its sentence is enough. The answer of an entry of questions and
 * answers is shown from its beginning, another block from its best sentence on.
 */
function blockOf(
  question: string,
  best: RankedCandidate,
  others: readonly RankedCandidate[],
): string | null {
  const { block, text, askedAbove } = best;
  if (block === null || isSentenceEnough(question, best, others)) return null;
  if (askedAbove.length > 0) return block;
  const at = block.indexOf(text);
  return at === -1 ? text : block.slice(at);
}

/**
 * Whether the best sentence answers the question without the other sentences of its block: it contains the fact or the
 * person that the question asks for, it decides a yes/no question, or other sentences of the block say the same about
 * other things, such as "The head of HR is Lena" and "The head of IT is Omar".
 */
function isSentenceEnough(
  question: string,
  best: RankedCandidate,
  others: readonly RankedCandidate[],
): boolean {
  if (best.kind !== 'sentence' || yesNoLead(question, best) !== null) return true;
  if (best.hasAnswerType && asksForOneFact(question)) return true;
  if (asksForPerson(question) && namesPerson(best.text, question)) return true;
  return others.some(
    (other) => isInSameSection(best, other) && haveSameForm(best.text, other.text),
  );
}

/** Returns the minimum share for a sentence of another section than the best one. */
function minRatioOf({ logOdds }: RankedCandidate): number {
  return logOdds === null ? minRatioUnread : minRatioOfOtherSection;
}

/** Whether two candidates are below the same heading, or in rows of the same table. */
function isInSameSection(best: RankedCandidate, other: RankedCandidate): boolean {
  if (best.kind === 'row' && other.kind === 'row') return isSameTable(best, other);
  return best.source === other.source && best.section === other.section;
}

function isSameTable(left: RankedCandidate, right: RankedCandidate): boolean {
  if (left.source === right.source) return true;
  const titles = ({ row }: RankedCandidate) => row?.cells.map(({ title }) => title).join('|');
  return left.documentId === right.documentId && titles(left) === titles(right);
}

/** Returns the minimum score that a further sentence must have, as a share of the best score. */
function minRatio(question: string, best: RankedCandidate, candidate: RankedCandidate): number {
  const isFactFound = best.hasAnswerType && asksForOneFact(question);
  const isNeighbor =
    candidate.source === best.source && Math.abs(candidate.position - best.position) === 1;
  if (isFactFound && !candidate.hasAnswerType) return minRatioWithoutFact;
  if (candidate.document !== best.document) return minRatioOfOtherDocument;
  if (!isFactFound) return minScoreRatio;
  const lowest = isNeighbor ? minNeighborRatioAfterFact : minRatioAfterFact;
  return isQualifying(candidate.text) ? lowest : lowest + notQualifying;
}

/** Whether a text names a condition or an exception, or contains a negation. */
function isQualifying(text: string): boolean {
  return exceptionPattern.test(text) || denialPattern.test(text);
}

const exceptionPattern =
  /\b(?:if|unless|except\w*|however|but|only|until|provided)\b|(?<!\p{L})(?:wenn|falls|außer|aber|jedoch|nur|sofern)(?!\p{L})/iu;
const denialPattern = /\b(?:not|without)\b|n['’]t\b|(?<!\p{L})(?:nicht|ohne)(?!\p{L})/iu;

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

/**
 * Whether the candidates share more than 60 % of the terms of the shorter one. Terms of the question do not count,
 * because all good candidates contain them.
 */
function isNearDuplicate(
  asked: ReadonlySet<string>,
  left: RankedCandidate,
  right: RankedCandidate,
): boolean {
  const novelTerms = (terms: readonly string[]) =>
    new Set(terms.filter((term) => !asked.has(term)));
  const leftTerms = novelTerms(left.terms);
  const rightTerms = novelTerms(right.terms);
  const shared = [...leftTerms].filter((term) => rightTerms.has(term)).length;
  return shared > 0.6 * Math.min(leftTerms.size, rightTerms.size);
}
