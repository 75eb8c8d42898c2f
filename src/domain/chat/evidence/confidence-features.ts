import {
  answerTypeBonus,
  asksForOneFact,
  isNegated,
} from '../../../models/extractive/answer-type.ts';
import type { SourceReading } from '../../../models/models.ts';
import { isSameLanguage } from '../../../text/same-language.ts';
import { bigramScripts, unspacedScripts } from '../../../text/scripts.ts';
import { contentTerms } from '../../../text/terms.ts';
import { hitText } from '../../knowledge/retrieval/hybrid-search.ts';
import type { Retrieval } from '../../knowledge/retrieval/retrieve.ts';
import { missingNames } from './missing-names.ts';
import { closestPassage, type Passage, passageContains } from './passages.ts';
import {
  proximity,
  type QuestionTerms,
  questionTerms,
  rarestTerm,
  weightedShare,
} from './question-terms.ts';

/**
 * Features of the confidence model. Each is between 0 and 1, except `answerability`. Only `missingNames` depends on
 * capital letters. Function words do not influence the features, except that they slightly change the vector of the
 * question. Rare words of the project have a higher weight.
 */
export interface ConfidenceFeatures {
  /** The highest cosine similarity between a chunk and the question. 0 if chunks have no vectors. */
  readonly similarity: number;
  /** How well the embedding model's vocabulary covers the question. */
  readonly vocabularyCoverage: number;
  /**
   * The largest share of the question's content words that a single chunk contains. Includes the headings of the chunk.
   */
  readonly coverage: number;
  /** The share of pairs of adjacent content words in the question that are near each other in one chunk. */
  readonly proximity: number;
  /** The share of the question's content words that no chunk contains. */
  readonly missingTerms: number;
  /** See `missingMeaning`. */
  readonly missingMeaning: number;
  /** 1 if the closest passage contains the rarest content word of the question. */
  readonly rarestTerm: number;
  /** The share of the question's numbers and codes that the closest passage does not contain. */
  readonly missingNumbers: number;
  /** 1 if the question asks for a fact, such as a date, and the closest passage contains no fact of this kind. */
  readonly missingFact: number;
  /** 1 if the question is negated but the closest passage is not, or the other way round. */
  readonly negationMismatch: number;
  /** 1 if the chunks and the question have different languages. Then the words of the two are not compared. */
  readonly foreignLanguage: number;
  /** See `missingNames`. */
  readonly missingNames: number | null;
  /**
   * Log-odds that the chunks answer the question, from a model that has read the chunks. Null if no model has read
   * them.
   */
  readonly answerability: number | null;
  /**
   * Share of the question's content words that the text to be shown contains, 0 to 1. Null if no model has chosen a text,
   * or if it is in another language than the question.
   */
  readonly wordShare: number | null;
  /** How much the score of the first hit exceeds that of the second one. */
  readonly lead: number;
  /** See `answerSupport`. 1 as long as there is no answer. */
  readonly answerSupport: number;
}

/** Input of the features. Hits are sorted best first. */
export type FeatureInput = Pick<
  Retrieval,
  'hits' | 'vocabularyCoverage' | 'termWeights' | 'missingMeaning'
> &
  Partial<SourceReading>;

/** Returns the features of a question and its retrieved chunks. */
export function retrievalFeatures(
  question: string,
  {
    hits,
    vocabularyCoverage,
    termWeights,
    missingMeaning,
    answerability = null,
    wordShare = null,
  }: FeatureInput,
): ConfidenceFeatures {
  const terms = questionTerms(question, termWeights);
  const chunks = hits.map((hit) => contentTerms(hitText(hit)));
  const chunkTerms = chunks.map((chunk) => new Set(chunk));
  const passage = closestPassage(terms, hits);
  const isForeign = !isSameLanguage(question, hits.map(({ content }) => content).join('\n'));
  const shareIn = (found: (term: string) => boolean) =>
    weightedShare(terms, (term) => Number(found(term)));
  const missing = 1 - shareIn((term) => chunkTerms.some((chunk) => chunk.has(term)));
  return {
    similarity: maxOrZero(hits.map(({ similarity }) => similarity)),
    vocabularyCoverage,
    coverage: maxOrZero(chunkTerms.map((chunk) => shareIn((term) => chunk.has(term)))),
    proximity: isForeign ? 0 : maxOrZero(chunks.map((chunk) => proximity(terms, chunk))),
    missingTerms: isForeign ? 0 : missing,
    missingMeaning: isForeign ? 0 : missingMeaning,
    ...passageFeatures(question, terms, passage),
    rarestTerm: isForeign ? 0 : Number(containsRarest(terms, passage)),
    foreignLanguage: Number(isForeign),
    missingNames: missingNames(question, hits.map(hitText)),
    answerability: isForeign ? null : answerability,
    wordShare: isForeign ? null : wordShare,
    lead: Math.min(maxLead, (hits[0]?.score ?? 0) - (hits[1]?.score ?? 0)),
    answerSupport: 1,
  };
}

/** A larger lead says no more. */
const maxLead = 0.3;

function passageFeatures(question: string, terms: QuestionTerms, passage: Passage | null) {
  const text = passage?.text ?? '';
  const numbers = contentTerms(wordsWithDigits(question)).filter((term) => terms.has(term));
  const isMissing = (term: string) => passage === null || !passageContains(passage, term);
  const isFactMissing = asksForOneFact(question) && answerTypeBonus(question)(text) <= 0;
  return {
    missingNumbers: numbers.length === 0 ? 0 : numbers.filter(isMissing).length / numbers.length,
    missingFact: Number(isFactMissing),
    negationMismatch: Number(isNegated(question) !== isNegated(text)),
  };
}

/**
 * Returns only the words with a digit. A passage seldom has to contain a number that is written as a word, as in "the
 * two plans". In scripts without spaces, only the number itself counts as a word.
 */
function wordsWithDigits(text: string): string {
  const words = text.replace(unspacedCharacter, ' ').split(/\s/u);
  return words.filter((word) => /\p{N}/u.test(word)).join(' ');
}

const unspacedCharacter = new RegExp(`[${bigramScripts}${unspacedScripts}]`, 'gu');

function containsRarest(terms: QuestionTerms, passage: Passage | null): boolean {
  const rarest = rarestTerm(terms);
  return rarest !== null && passage !== null && passageContains(passage, rarest);
}

function maxOrZero(values: readonly number[]): number {
  return Math.max(0, ...values);
}
