import { asksForOtherColumn, isWide, namesColumn, type TableRow } from '../../text/row-text.ts';
import { askedSections } from '../../text/section-numbers.ts';
import { contentTerms, isNumber } from '../../text/terms.ts';
import { asksForOneFact, lacksCertainFact } from '../extractive/answer-type.ts';
import { lacksSubject } from '../extractive/asked-subject.ts';
import type { RankedCandidate } from '../extractive/rank-candidates.ts';
import { rowColumnBonus, rowNameBonus } from '../extractive/row-name-bonus.ts';
import { continuesQuestion } from '../follow-up/follow-up.ts';
import type { AnswerRequest } from '../models.ts';

/**
 * Returns the log-odds that the sources answer the question. They are the reader's log-odds for the text that is shown
 * first, minus penalties for content that this text lacks. `ranked` are the texts, best first. Returns null if the
 * reader did not read them.
 */
export function answerabilityOf(
  request: AnswerRequest,
  ranked: readonly RankedCandidate[],
): number | null {
  const { question } = request;
  const [best] = ranked;
  if (best?.isAskedRow) {
    const isPriceMissing = lacksCertainFact(question, best.text);
    return askedRowAnswerability - (isPriceMissing ? missingCertainPenalty : 0);
  }
  const chosen = answerabilityOfChosen(ranked);
  if (best === undefined || chosen === null) return null;
  const isColumnMissing = best.row !== null && lacksColumn(best.row, question);
  const read =
    chosen - penaltyOf(request, best, ranked) - (isColumnMissing ? missingColumnPenalty : 0);
  if (isInAskedSection(question, best)) return Math.max(namedAnswerability, read);
  const isRead = best.kind !== 'row' || isColumnMissing;
  return isRead ? read : Math.max(minRowAnswerability(question, best), read);
}

/**
 * Returns the log-odds that the best text is the answer. They depend on the reader's log-odds for this text and on how
 * much its score exceeds that of the next text. The reader's log-odds for other texts are not used, because such texts
 * are at most shown after the best one. Returns null if the reader did not read the text.
 */
function answerabilityOfChosen([best, next]: readonly RankedCandidate[]): number | null {
  if (best === undefined || best.logOdds === null) return null;
  const margin = Math.min(maxMargin, best.score - (next?.score ?? 0));
  return chosenIntercept + chosenWeight * best.logOdds + marginWeight * margin;
}

/** Fitted; see docs/decisions/retrieval-trials.md. */
const chosenIntercept = -0.85;
const chosenWeight = 0.6;
const marginWeight = 8;
const maxMargin = 0.3;

/** Returns the penalty if the best text lacks the fact, person or subject that the question asks for. */
function penaltyOf(
  { question, query }: AnswerRequest,
  best: RankedCandidate,
  ranked: readonly RankedCandidate[],
): number {
  // A question that continues the previous one is judged by its rewritten query. So after "How much is a ticket?", "And
  // for dogs?" asks for a number. "And the dogs?" is judged as the user wrote it, and asks for none.
  const typed = continuesQuestion(question) ? (query ?? question) : question;
  const isFactMissing = asksForOneFact(typed) && !best.hasAnswerType;
  return (
    (isFactMissing ? missingFactPenalty : 0) +
    (lacksCertainFact(question, best.text) ? missingCertainPenalty : 0) +
    (lacksSubject(question, best, ranked) ? missingSubjectPenalty : 0)
  );
}

/**
 * Penalty in log-odds, like the following ones. A text rarely answers the question without the number, date or other
 * fact that it asks for.
 */
const missingFactPenalty = 1;
/**
 * The same for a price or a time of day. It is higher, because texts write these with numbers or with a few known
 * words.
 */
const missingCertainPenalty = 5;
/** Penalty for a text with the phone number of another person, or the default of another setting. */
const missingSubjectPenalty = 4;
/**
 * Penalty for a wide row without the column that the question asks for. Such a row contains numbers and names that fit
 * any question.
 */
const missingColumnPenalty = 5;

function lacksColumn(row: TableRow, question: string): boolean {
  return isWide(row) ? !namesColumn(row, question) : asksForOtherColumn(row, question);
}

/**
 * Returns the minimum answerability for a row. The reader understands prose better than tables. So its doubts do not
 * count if the best text is a row whose name is in the question.
 */
function minRowAnswerability(question: string, { text, row }: RankedCandidate): number {
  const isNamed = rowNameBonus(question)(text) + rowColumnBonus(question)(row) > 0;
  return isNamed ? namedAnswerability : Number.NEGATIVE_INFINITY;
}

/**
 * Log-odds if the question asks for the row by a value. Such a question has words that no row contains ("cheapest"), and
 * such a row needs no reader, so this also applies to other languages than English.
 */
const askedRowAnswerability = 4;

/** Minimum log-odds if the question names the row or section that contains the best text. */
const namedAnswerability = 1;

/**
 * Whether the question asks only for the content of the section that contains the text, as "What does section 3.2 say?".
 */
function isInAskedSection(question: string, { sections }: RankedCandidate): boolean {
  const asked = askedSections(question);
  const others = contentTerms(question).filter((term) => !isNumber(term) && term.length > 1);
  return others.length <= 2 && asked.some((number) => sections.includes(number));
}
