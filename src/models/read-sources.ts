import { coreQuestion } from '../text/core-question.ts';
import { asksForOtherColumn, isWide, namesColumn, type TableRow } from '../text/row-text.ts';
import { answerCandidates } from './answer-candidates.ts';
import { type Reading, readCandidates } from './answer-reading.ts';
import { asksForOneFact, lacksCertainFact } from './answer-type.ts';
import { isDayMissing } from './asked-periods.ts';
import { asksForPerson, namesPerson } from './asked-person.ts';
import { lacksSubject } from './asked-subject.ts';
import { dotProduct } from './dot-product.ts';
import { continuesQuestion, isFollowUp, referencedItem } from './follow-up.ts';
import { selectFollowUpCandidates } from './follow-up-candidates.ts';
import { modelFailure, throwIfAborted } from './model-failure.ts';
import type { AnswerReader, AnswerRequest, EmbeddingModel } from './models.ts';
import { preselectCandidates, type RankedCandidate, rankCandidates } from './rank-candidates.ts';
import { rowColumnBonus, rowNameBonus } from './row-name-bonus.ts';
import { standaloneQuestion } from './standalone-question.ts';

/** The models that choose sentences. */
export interface SourceModels {
  readonly embedding: EmbeddingModel;
  /** Without it, sentences are chosen by words and embedding. */
  readonly reader?: AnswerReader | undefined;
}

/** Candidates from the sources of a request, and their evaluation. */
export interface ReadSources {
  readonly question: string;
  /** Texts that can be quoted, best first. */
  readonly ranked: readonly RankedCandidate[];
  /** Log-odds that one of them answers the question. Null if they were not read. */
  readonly answerability: number | null;
  /** Number of tokens that the embedding model read. */
  readonly tokens: number;
}

/** Ranks the texts of the sources by words, embedding and reader. */
export async function readSources(
  { embedding, reader }: SourceModels,
  request: AnswerRequest,
  signal: AbortSignal,
): Promise<ReadSources> {
  throwIfAborted(signal);
  const question = request.query ?? standaloneQuestion(request);
  const all = answerCandidates(request.sources);
  if (all.length === 0) throw modelFailure('The sources contain no text to answer from');
  // "Explain the second one" is searched with the words of that item, which is the answer.
  const written = referencedItem(request) === null ? question : request.question;
  const useful = selectFollowUpCandidates(request, all);
  const candidates = preselectCandidates(question, useful, written);
  if (candidates.length === 0) return { question, ranked: [], answerability: null, tokens: 0 };
  const texts = [question, ...candidates.map(({ text }) => text)];
  const embedded = await embedding
    .embed(texts, { signal, kind: 'query' })
    .catch((error: unknown) => {
      throwIfAborted(signal);
      throw error;
    });
  const [questionVector = new Float32Array(), ...candidateVectors] = embedded.vectors;
  const similarities = candidateVectors.map((vector) => dotProduct(questionVector, vector));
  const { vocabularyCoverage = [] } = embedded;
  const input = { question, candidates, similarities, vocabularyCoverage };
  const reading = reader === undefined ? null : await readCandidates(reader, input, signal);
  const ranked = rankCandidates(candidates, similarities, reading);
  return {
    question,
    ranked,
    answerability: reading && answerabilityOf(request, ranked, reading),
    tokens: embedded.tokens,
  };
}

function answerabilityOf(
  { question, query, history, sources }: AnswerRequest,
  ranked: readonly RankedCandidate[],
  { answerability }: Reading,
): number {
  const [best] = ranked;
  const isFollowUpQuestion = history.length > 0 && isFollowUp(coreQuestion(question));
  // What the user wrote: "And the dogs?" after "How much is a ticket?" asks for no number. "And for dogs?" does.
  const typed = continuesQuestion(question) ? (query ?? question) : question;
  const isFactMissing = asksForOneFact(typed) && best?.hasAnswerType === false;
  const isFactCertain = best !== undefined && lacksCertainFact(question, best.text);
  const isPersonMissing =
    best !== undefined && asksForPerson(question) && !namesPerson(best.text, question);
  const isSubjectMissing = best !== undefined && lacksSubject(question, best, ranked);
  const isColumnMissing = best?.row != null && lacksColumn(best.row, question);
  const chosen = answerabilityOfChosen(ranked) ?? answerability;
  const read =
    chosen * (isFollowUpQuestion && chosen < 0 ? doubtShare : 1) -
    (isFactMissing ? missingFactPenalty : 0) -
    (isFactCertain ? missingCertainPenalty : 0) -
    (isPersonMissing ? missingPersonPenalty : 0) -
    (isSubjectMissing ? missingSubjectPenalty : 0) -
    (isColumnMissing ? missingColumnPenalty : 0);
  const believed =
    best?.kind === 'row' && !isColumnMissing
      ? Math.max(minRowAnswerability(question, best), read)
      : read;
  const texts = sources.map(
    (source) => `${source.documentName} ${source.context} ${source.content}`,
  );
  return believed - (isDayMissing(question, texts) ? missingDayPenalty : 0);
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

/** Fitted; see docs/decisions/retrieval-quality.md. */
const chosenIntercept = -1.5;
const chosenWeight = 0.6;
const marginWeight = 12;
const maxMargin = 0.4;

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

/** Of the reader's doubts about a follow-up, which is completed by words of the conversation: it learned whole questions. */
const doubtShare = 0.5;
/** In log-odds. A text without the number, date or other fact that the question asks for seldom answers it. */
const missingFactPenalty = 1;
/** The same for a price and a time of day, which are written with numbers or a few words. */
const missingCertainPenalty = 5;
/** A description of a position does not say who has it. */
const missingPersonPenalty = 5;
/** The phone number of somebody else, or the default of another setting. */
const missingSubjectPenalty = 4;
/** A record of many fields has numbers and names for every question, and seldom the one that is asked for. */
const missingColumnPenalty = 5;
/** Two reports of a series differ in little more than their days. */
const missingDayPenalty = 3;
