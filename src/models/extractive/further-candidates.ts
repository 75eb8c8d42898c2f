import { wordCount } from '../../text/readable-text.ts';
import { contentTerms } from '../../text/terms.ts';
import { asksForList, isEnumeration, isNegated } from './answer-type.ts';
import type { RankedCandidate } from './rank-candidates.ts';
import { haveSameForm } from './sentence-form.ts';

const maxSentences = 3;
const maxWords = 90;
/** Maximum number of words if the sentences are from several sections. */
const maxWordsOfSections = 70;
/**
 * Minimum score of a further sentence of the same section, as a share of the best score. Sentences below it are usually
 * off topic.
 */
const minRatio = 0.8;
/** The same for a sentence of another section. Below it, the choice of the best section is clear. */
const minRatioOfOtherSection = 0.9;
/** The same if the reader has not read the sentences, so that the choice is less certain. */
const minRatioUnread = 0.8;

/** Adds further candidates as long as the answer is short enough, except those that repeat a part of it. */
export function addFurther(
  question: string,
  start: readonly RankedCandidate[],
  further: readonly RankedCandidate[],
): readonly RankedCandidate[] {
  const asked = new Set(contentTerms(question));
  const chosen = [...start];
  let words = chosen.reduce((sum, { text }) => sum + wordCount(text), 0);
  for (const candidate of further) {
    const length = wordCount(candidate.text);
    const isInSection = chosen.every((one) => isInSameSection(one, candidate));
    const isNew = !chosen.some(
      (one) => isSameList(one, candidate) || isNearDuplicate(asked, one, candidate),
    );
    const limit = isInSection ? maxWords : maxWordsOfSections;
    if (chosen.length < maxSentences && words + length <= limit && isNew) {
      chosen.push(candidate);
      words += length;
    }
  }
  return chosen;
}

/**
 * Whether a further candidate may be a part of the answer. If the best block is shown as a whole, nothing else of its
 * section is.
 */
export function isWorthIt(
  question: string,
  best: RankedCandidate,
  other: RankedCandidate,
  isBlockShown: boolean,
): boolean {
  const isInSection = isInSameSection(best, other);
  if (isInSection && isBlockShown) return false;
  if (best.row !== null && other.kind !== 'row') return false;
  if (contradicts(question, best, other)) return false;
  const isListGiven = asksForList(question) && isEnumeration(best.text);
  if (isListGiven && (other.logOdds ?? 0) <= (best.logOdds ?? 0)) return false;
  const ofOtherSection = best.logOdds === null ? minRatioUnread : minRatioOfOtherSection;
  const ratio = isInSection ? minRatio : ofOtherSection;
  return other.score >= ratio * best.score && isAsGoodInKind(question, best, other);
}

/**
 * Whether another text makes the same statement with other words or numbers: it is in another document, such as an
 * earlier version, or it lists the opposite, such as the rooms with a balcony for "Which rooms have no balcony?".
 */
function contradicts(question: string, best: RankedCandidate, other: RankedCandidate): boolean {
  const isElsewhere = best.documentId !== other.documentId;
  const isOpposite = isNegated(question) && isNegated(best.text) && !isNegated(other.text);
  return (isElsewhere || isOpposite) && haveSameForm(best.text, other.text);
}

function isSameList(left: RankedCandidate, right: RankedCandidate): boolean {
  return left.list !== null && left.source === right.source && left.list.list === right.list?.list;
}

/**
 * Whether another candidate of the same kind fits the question as well as the best one. Compares rows of the same
 * table, and sentences of the same form, such as "The head of QA is Nils" and "The head of IT is Omar". Returns false if
 * the other candidate and its headings contain fewer words of the question.
 */
function isAsGoodInKind(question: string, best: RankedCandidate, other: RankedCandidate): boolean {
  if (best.kind !== other.kind || (best.kind === 'row' && !isSameTable(best, other))) return true;
  const asked = [...new Set(contentTerms(question))];
  const found = (one: RankedCandidate) =>
    asked.filter((term) => one.terms.includes(term) || one.topic.includes(term));
  const ofOther = found(other);
  const ofBest = found(best);
  if (best.kind !== 'sentence') return ofOther.length >= ofBest.length;
  const isLess = ofOther.length < ofBest.length && ofOther.every((term) => ofBest.includes(term));
  return !isLess || !haveSameForm(best.text, other.text);
}

/** Whether two candidates are below the same heading, or in rows of the same table. */
export function isInSameSection(left: RankedCandidate, right: RankedCandidate): boolean {
  if (left.kind === 'row' && right.kind === 'row') return isSameTable(left, right);
  return left.source === right.source && left.section === right.section;
}

function isSameTable(left: RankedCandidate, right: RankedCandidate): boolean {
  if (left.source === right.source) return true;
  const titles = ({ row }: RankedCandidate) => row?.cells.map(({ title }) => title).join('|');
  return left.documentId === right.documentId && titles(left) === titles(right);
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
