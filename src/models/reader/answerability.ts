import { coreQuestion } from '../../text/core-question.ts';
import { asksForOtherColumn, isWide, namesColumn, type TableRow } from '../../text/row-text.ts';
import { asksForOneFact, lacksCertainFact } from '../extractive/answer-type.ts';
import { isDayMissing } from '../extractive/asked-periods.ts';
import { asksForPerson, namesPerson } from '../extractive/asked-person.ts';
import { lacksSubject } from '../extractive/asked-subject.ts';
import type { RankedCandidate } from '../extractive/rank-candidates.ts';
import { rowColumnBonus, rowNameBonus } from '../extractive/row-name-bonus.ts';
import { continuesQuestion, isFollowUp } from '../follow-up/follow-up.ts';
import type { AnswerRequest } from '../models.ts';

/**
 * Returns the log-odds that the sources answer a question: what the reader says of the text that is shown first, less
 * what that text lacks. `ranked` are the texts, best first. Null if they were not read.
 */
export function answerabilityOf(
  request: AnswerRequest,
  ranked: readonly RankedCandidate[],
): number | null {
  const { question, history } = request;
  const [best] = ranked;
  const chosen = answerabilityOfChosen(ranked);
  if (best === undefined || chosen === null) return null;
  const isFollowUpQuestion = history.length > 0 && isFollowUp(coreQuestion(question));
  const share = isFollowUpQuestion && chosen < 0 ? doubtShare : 1;
  const isColumnMissing = best.row !== null && lacksColumn(best.row, question);
  const read =
    chosen * share -
    penaltyOf(request, best, ranked) -
    (isColumnMissing ? missingColumnPenalty : 0);
  const isRead = best.kind !== 'row' || isColumnMissing;
  return (
    (isRead ? read : Math.max(minRowAnswerability(question, best), read)) - penaltyOfDays(request)
  );
}

/**
 * Returns the log-odds that the best text is the answer: what the reader says of it alone, because other texts are at
 * most shown after it, and by how much it is better than the next one. Null if it was not read.
 */
function answerabilityOfChosen([best, next]: readonly RankedCandidate[]): number | null {
  if (best === undefined || best.logOdds === null) return null;
  const margin = Math.min(maxMargin, best.score - (next?.score ?? 0));
  return chosenIntercept + chosenWeight * best.logOdds + marginWeight * margin;
}

/** Fitted; see docs/decisions/retrieval-trials.md. */
const chosenIntercept = -1.5;
const chosenWeight = 0.6;
const marginWeight = 12;
const maxMargin = 0.4;

/** Weight of the reader's doubts about a follow-up. Lower than 1, because the reader was trained on whole questions. */
const doubtShare = 0.5;

/** Returns the penalty for facts, persons and subjects that the best text lacks. */
function penaltyOf(
  { question, query }: AnswerRequest,
  best: RankedCandidate,
  ranked: readonly RankedCandidate[],
): number {
  // The words of the user: after "How much is a ticket?", "And for dogs?" asks for a number, "And the dogs?" does not.
  const typed = continuesQuestion(question) ? (query ?? question) : question;
  const isFactMissing = asksForOneFact(typed) && !best.hasAnswerType;
  const isPersonMissing = asksForPerson(question) && !namesPerson(best.text, question);
  return (
    (isFactMissing ? missingFactPenalty : 0) +
    (lacksCertainFact(question, best.text) ? missingCertainPenalty : 0) +
    (isPersonMissing ? missingPersonPenalty : 0) +
    (lacksSubject(question, best, ranked) ? missingSubjectPenalty : 0)
  );
}

/** In log-odds. A text without the number, date or other fact that the question asks for seldom answers it. */
const missingFactPenalty = 1;
/** The same for a price and a time of day, which are written with numbers or a few words. */
const missingCertainPenalty = 5;
/** The description of a position does not name the person. */
const missingPersonPenalty = 5;
/** The phone number of somebody else, or the default of another setting. */
const missingSubjectPenalty = 4;
/** A record of many fields has numbers and names for every question, and seldom the one that is asked for. */
const missingColumnPenalty = 5;

function lacksColumn(row: TableRow, question: string): boolean {
  return isWide(row) ? !namesColumn(row, question) : asksForOtherColumn(row, question);
}

/**
 * The reader knows prose better than tables, so its doubts do not count if the best text is a row whose name the question
 * contains.
 */
function minRowAnswerability(question: string, { text, row }: RankedCandidate): number {
  const isNamed = rowNameBonus(question)(text) + rowColumnBonus(question)(row) > 0;
  return isNamed ? 2 : Number.NEGATIVE_INFINITY;
}

function penaltyOfDays({ question, sources }: AnswerRequest): number {
  const texts = sources.map(
    ({ documentName, context, content }) => `${documentName} ${context} ${content}`,
  );
  return isDayMissing(question, texts) ? missingDayPenalty : 0;
}

/** Two reports of a series differ in little more than their days. */
const missingDayPenalty = 3;
