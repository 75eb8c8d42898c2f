import { nameSameDay } from '../../text/keys.ts';
import { withFullStop, wordCount } from '../../text/readable-text.ts';
import { askedSections } from '../../text/section-numbers.ts';
import { contentTerms } from '../../text/terms.ts';
import {
  asksForConfirmation,
  asksForList,
  asksForOneFact,
  asksForSteps,
  isEnumeration,
  isNegated,
} from './answer-type.ts';
import { asksForPerson, namesPerson } from './asked-person.ts';
import { bestOfParts } from './question-parts.ts';
import { isInstruction, type RankedCandidate } from './rank-candidates.ts';
import { haveSameForm } from './sentence-form.ts';
import { shownText } from './shown-text.ts';
import { yesNoLead } from './yes-no.ts';

const maxSentences = 3;
const maxWords = 90;
/** The same if the sentences are from several sections. */
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

/**
 * Returns an answer in the words of the sources, with citation markers. It is one of these:
 *
 * - the rows of a table that the question asks for by a value, or the best candidate for each part of the question;
 * - the best list, its steps, or the answer of an entry of questions and answers;
 * - the best sentence or row with what follows in its section, and up to two others that are nearly as good, best first.
 *
 * `written` is the question as the user wrote it. `question` may also contain words of the conversation.
 */
export function composeReply(
  question: string,
  ranked: readonly RankedCandidate[],
  written = question,
): string {
  const sections = askedSections(question);
  const withText = (candidate: RankedCandidate, text: string) => ({
    ...candidate,
    text: withAskedHeading(sections, candidate, text),
  });
  const shown = (candidate: RankedCandidate) =>
    withText(candidate, shownText(question, candidate, written));
  const rows = ranked.filter(({ isAskedRow }) => isAskedRow);
  if (rows.length > 0) return cite(withHeadings(rows.map(shown)));
  const parts = bestOfParts(written, ranked);
  if (parts.length > 1) return cite(parts.map(shown));
  const [first, ...others] = ranked;
  if (first === undefined) return '';
  const block = blockOf(written, first, others);
  const best = block === null ? shown(first) : withText(first, block);
  const isWhole = first.kind === 'list' || first.kind === 'steps' || first.askedAbove.length > 0;
  if (isWhole) return cite([best]);
  const mayBeLimited = asksForConfirmation(question) || asksForOneFact(question);
  const limit = mayBeLimited ? others.find((other) => isLimitOf(best, other)) : undefined;
  const chosen = limit === undefined ? [best] : [best, limit];
  const further = others
    .filter((other) => isWorthIt(question, first, other, block !== null))
    .map(shown);
  return cite(addFurther(question, chosen, further));
}

/** Prepends the heading to a text if the question names its section by the number: "What is article 42 about?" */
function withAskedHeading(
  asked: readonly string[],
  { sections, heading }: RankedCandidate,
  text: string,
): string {
  const isAsked = heading !== '' && asked.some((number) => sections.includes(number));
  return isAsked ? `${heading}: ${text}` : text;
}

function cite(chosen: readonly Pick<RankedCandidate, 'text' | 'source'>[]): string {
  return chosen.map(({ text, source }) => `${withFullStop(text)} [${source}]`).join(' ');
}

/** Puts the heading above each row before it, if the rows are below several headings, such as weekdays. */
function withHeadings(rows: readonly RankedCandidate[]): readonly RankedCandidate[] {
  const isOne = rows.every(({ heading }) => heading === rows[0]?.heading);
  return isOne ? rows : rows.map((row) => ({ ...row, text: `${row.heading}: ${row.text}` }));
}

/** Adds further candidates as long as the answer is short enough, except those that repeat a part of it. */
function addFurther(
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
function isWorthIt(
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
  const start = asksForSteps(question) ? firstStep(best, others) : best;
  const at = block.indexOf(start.text);
  return at === -1 ? text : block.slice(at);
}

/** Returns the first of the instructions that directly precede an instruction in its section, or the instruction. */
function firstStep(best: RankedCandidate, others: readonly RankedCandidate[]): RankedCandidate {
  const before = others.find(
    (other) => isInSameSection(best, other) && other.position === best.position - 1,
  );
  return before !== undefined && isInstruction(before.text) ? firstStep(before, others) : best;
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
  if (nameSameDay(question, best.text)) return true;
  return others.some(
    (other) => isInSameSection(best, other) && haveSameForm(best.text, other.text),
  );
}

/** Whether two candidates are below the same heading, or in rows of the same table. */
function isInSameSection(left: RankedCandidate, right: RankedCandidate): boolean {
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
