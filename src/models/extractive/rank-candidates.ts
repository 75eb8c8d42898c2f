import type { ListText } from '../../text/list-items.ts';
import { wordCount } from '../../text/readable-text.ts';
import { askedSections } from '../../text/section-numbers.ts';
import { contentTerms } from '../../text/terms.ts';
import type { Reading } from '../reader/answer-reading.ts';
import { answerTypeBonus, asksForList, asksForSteps } from './answer-type.ts';
import type { Candidate } from './candidate.ts';
import { formPenalty } from './form-penalty.ts';
import { lexicalOverlap } from './lexical-overlap.ts';
import { isOfOppositeList } from './opposite-list.ts';
import { rowColumnBonus, rowNameBonus } from './row-name-bonus.ts';
import { supersededPenalty } from './superseded.ts';
import { usefulCandidates } from './useful-candidates.ts';

export interface RankedCandidate extends Candidate {
  /** Higher values are better. Compare only candidates for the same question. */
  readonly score: number;
  /** Whether the candidate contains the kind of answer that the question asks for, such as a number. */
  readonly hasAnswerType: boolean;
  /** Whether the question asks for this row by a value (see `askedRows`). */
  readonly isAskedRow: boolean;
  /** The reader's log-odds that the candidate answers the question. Null if the reader did not read the candidate. */
  readonly logOdds: number | null;
}

/** Maximum number of candidates to embed. The embedding model takes a few milliseconds for each. */
const maxCandidates = 20;
/**
 * Maximum number of these candidates that are items of the same list. It is low because a list is mostly shown as a
 * whole.
 */
const maxItemsPerList = 4;

/**
 * Ranks candidates by words and returns the best ones. Embeddings are then computed only for these. Leaves out
 * candidates that only repeat `written`, the question as the user wrote it.
 */
export function preselectCandidates(
  question: string,
  candidates: readonly Candidate[],
  written = question,
  rows: readonly Candidate[] = [],
): RankedCandidate[] {
  const found = scoreByWords(question, rows).map((row) => ({ ...row, isAskedRow: true }));
  const ranked = scoreByWords(question, usefulCandidates(question, written, candidates))
    .map((candidate) => ({ ...candidate, score: candidate.score + sourceRankBonus(candidate) }))
    .sort(byScore);
  const isFound = ({ source, position }: Candidate) =>
    rows.some((row) => row.source === source && row.position === position);
  const others = limitItemsPerList(ranked).filter((candidate) => !isFound(candidate));
  return [...found, ...others].slice(0, maxCandidates);
}

/** Scores candidates by words and form. Does not use embeddings or the order of the sources. */
export function scoreByWords(
  question: string,
  candidates: readonly Candidate[],
): RankedCandidate[] {
  const overlap = lexicalOverlap(question, candidates);
  const asked = new Set(contentTerms(question));
  const typeBonus = answerTypeBonus(question);
  const isListAsked = asksForList(question);
  const isProcedure = asksForSteps(question);
  const formPenaltyOf = formPenalty(question);
  const isOpposite = isOfOppositeList(question);
  const supersededPenaltyOf = supersededPenalty(question);
  const rowNameBonusOf = rowNameBonus(question);
  const rowColumnBonusOf = rowColumnBonus(question);
  const sections = askedSections(question);
  const isInSection = (candidate: Candidate) =>
    sections.some((number) => candidate.sections.includes(number));
  return candidates.map((candidate) => ({
    ...candidate,
    isAskedRow: false,
    logOdds: null,
    hasAnswerType: typeBonus(candidate.text) > 0,
    score:
      overlap(candidate) -
      (sections.length > 0 && !isInSection(candidate) ? otherSectionPenalty : 0) -
      (candidate.isEarlier ? earlierPenalty : 0) -
      (isOpposite(candidate) ? oppositePenalty : 0) -
      supersededPenaltyOf(candidate.text) -
      (candidate.isForm ? formPenaltyOf(candidate.text) : 0) +
      noveltyBonus(asked, candidate) +
      sameQuestionBonus(asked, candidate) +
      typeBonus(candidate.text) +
      (isProcedure ? procedureBonusOf(candidate, asked) : 0) +
      (isListAsked ? listBonus[candidate.kind] : 0) +
      Math.max(rowNameBonusOf(candidate.text), rowColumnBonusOf(candidate.row)),
  }));
}

/** Penalty for a text outside the section whose number the question names. */
const otherSectionPenalty = 0.5;
/** Penalty for a message that an e-mail quotes, because it may no longer apply. */
const earlierPenalty = 0.2;
const oppositePenalty = 0.5;
/** Added to the score of lists if the question asks for several things. */
const listBonus = { sentence: 0, list: 0.3, steps: 0.3, row: 0 };
/** Added to the score of lists and steps if the question asks how to do something. */
const procedureBonus = { sentence: 0, list: 0.1, steps: 0.2, row: 0 };
/** In the same case, added to the score of a sentence that gives an instruction: "Run …", "You can send …". */
const imperativeBonus = 0.1;

function procedureBonusOf({ kind, text, ownTopic }: Candidate, asked: ReadonlySet<string>): number {
  if (kind === 'sentence' && isInstruction(text)) return imperativeBonus;
  const named = ownTopic.filter((term) => asked.has(term)).length / ownTopic.length;
  const isNamed = kind === 'steps' && named >= minNamedShare;
  return procedureBonus[kind] + (isNamed ? namedProcedureBonus * named : 0);
}

/** Added for steps below a heading most of whose words the question contains, such as "Reset". */
const namedProcedureBonus = 0.5;
const minNamedShare = 0.6;

/** Whether a text begins with an instruction, such as "Open the lid". */
export function isInstruction(text: string): boolean {
  return imperativePattern.test(text);
}

const imperativePattern =
  /^(?:(?:you can|please|then|first|simply|just),? )?(?:run|use|set|click|go to|open|select|add|install|create|enter|press|choose|type|execute|navigate|log in|download|update|upgrade|configure|make sure|call|send|submit|contact|write|edit|remove|delete|enable|disable|start|stop|restart|save|copy|visit|file|complete)\b/iu;

function limitItemsPerList(ranked: readonly RankedCandidate[]): RankedCandidate[] {
  const counts = new Map<ListText, number>();
  return ranked.filter(({ list }) => {
    if (list === null) return true;
    const count = (counts.get(list.list) ?? 0) + 1;
    counts.set(list.list, count);
    return count <= maxItemsPerList;
  });
}

/**
 * Ranks candidates by words and embedding. `similarities` contains the cosine similarity of the question with each
 * candidate, in the order of `candidates`.
 */
export function rankCandidates(
  candidates: readonly RankedCandidate[],
  similarities: readonly number[],
  reading: Pick<Reading, 'bonuses' | 'logOdds'> | null = null,
): RankedCandidate[] {
  return candidates
    .map((candidate, index) => ({
      ...candidate,
      logOdds: reading?.logOdds[index] ?? null,
      score:
        candidate.score +
        similarityWeight * (similarities[index] ?? 0) +
        (reading?.bonuses[index] ?? 0) -
        lengthPenalty(candidate),
    }))
    .sort(byScore);
}

function byScore(left: RankedCandidate, right: RankedCandidate): number {
  const asked = Number(right.isAskedRow) - Number(left.isAskedRow);
  return (
    asked ||
    right.score - left.score ||
    left.source - right.source ||
    left.position - right.position
  );
}

const similarityWeight = 1;
/** Returns a bonus that is higher for sources that the search ranked first. */
function sourceRankBonus({ source, relevance }: Candidate): number {
  return 0.1 / source + relevanceWeight * relevance;
}

/** Measured in docs/decisions/retrieval-trials.md, "One section". */
const relevanceWeight = 0.3;

/** Returns a bonus for new words, because a sentence that only repeats the question does not answer it. */
function noveltyBonus(asked: ReadonlySet<string>, candidate: Candidate): number {
  return 0.1 * Math.min(1, countNovelTerms(asked, candidate) / 8);
}

function countNovelTerms(asked: ReadonlySet<string>, { terms }: Candidate): number {
  return new Set(terms.filter((term) => !asked.has(term))).size;
}

/** Minimum share of common terms at which two questions count as having the same meaning. */
const minSharedQuestion = 0.6;
const sameQuestionWeight = 0.5;

/**
 * Returns a bonus if the heading above a candidate is a question with the same meaning as the user's question. The
 * bonus is highest for the first sentences below the heading.
 */
function sameQuestionBonus(
  asked: ReadonlySet<string>,
  { askedAbove, distance }: Candidate,
): number {
  const above = new Set(askedAbove);
  const shared = [...asked].filter((term) => above.has(term)).length;
  const similarity = (2 * shared) / (asked.size + above.size || 1);
  return similarity < minSharedQuestion
    ? 0
    : (sameQuestionWeight * similarity) / (1 + Math.max(0, distance));
}

/**
 * Returns a penalty for long texts. It is limited for a row with column titles, because the answer shows only the cells
 * that the question asks for.
 */
function lengthPenalty({ text, row }: Candidate): number {
  const penalty = Math.max(0, wordCount(text) - 35) * 0.004;
  return row === null ? penalty : Math.min(penalty, maxRowPenalty);
}

const maxRowPenalty = 0.1;
