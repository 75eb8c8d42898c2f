import { contentTerms } from '../../../text/terms.ts';
import { fold } from '../../../text/tokenize.ts';
import type { Retrieval } from '../../knowledge/retrieval/retrieve.ts';

/** Features of the confidence model, each 0 to 1. */
export interface ConfidenceFeatures {
  /** The best BM25 score of a chunk, as a share of the maximum possible for the question. */
  readonly lexical: number;
  /** The highest cosine similarity of a chunk and the question; 0 if chunks have no vectors. */
  readonly similarity: number;
  /** How well the embedding model's vocabulary covers the question. */
  readonly vocabularyCoverage: number;
  /** The best chunk's score minus the third-best chunk's, at most 0.3; 0 if there are fewer than three chunks. */
  readonly scoreMargin: number;
  /** The largest share of the question's content words that one chunk contains, including its headings. */
  readonly coverage: number;
  /** The share of the question's names, codes and numbers that no chunk contains. */
  readonly missingEntities: number;
  /** See `answerSupport`; 1 before there is an answer. */
  readonly answerSupport: number;
}

/** Returns the features of a question and its retrieved chunks, which must be sorted best first. */
export function retrievalFeatures(
  question: string,
  { hits, vocabularyCoverage }: Pick<Retrieval, 'hits' | 'vocabularyCoverage'>,
): ConfidenceFeatures {
  const [first, , third] = hits;
  const texts = hits.map((hit) => `${hit.documentName} ${hit.context} ${hit.content}`);
  const terms = texts.map((text) => new Set(contentTerms(text)));
  return {
    lexical: maxOrZero(hits.map((hit) => hit.lexical)),
    similarity: maxOrZero(hits.map((hit) => hit.similarity)),
    vocabularyCoverage,
    scoreMargin: first && third ? Math.min(maxScoreMargin, first.score - third.score) : 0,
    coverage: maxOrZero(
      terms.map((chunkTerms) => share(contentTerms(question), (term) => chunkTerms.has(term))),
    ),
    missingEntities: missingEntityShare(question, texts, terms),
    answerSupport: 1,
  };
}

const maxScoreMargin = 0.3;

/**
 * Returns the share of the question's entities that no chunk contains. Entities are capitalized words after the first
 * word, and words with a digit.
 */
function missingEntityShare(
  question: string,
  texts: readonly string[],
  terms: readonly ReadonlySet<string>[],
): number {
  const text = fold(texts.join(' '));
  // If every word is capitalized, as in a title, capitals do not mark names.
  const pattern = isCapitalized(question) ? codePattern : entityPattern;
  const entities = [...question.matchAll(pattern)]
    .map(([name]) => name.replace(/(?:['’]s?|(?<![?.,!;:)])[?.,!;:)]+)$/g, ''))
    .filter((name) => contentTerms(name).length > 0);
  const isFound = (name: string) =>
    text.includes(fold(name)) ||
    contentTerms(name).every((term) => terms.some((chunkTerms) => chunkTerms.has(term)));
  return share(entities, (name) => !isFound(name));
}

const entityPattern = /(?<=\S\s)(?:\p{Lu}[\p{L}\p{N}.'’&-]*|[\p{L}.'’&$€£%-]{0,20}\p{N}\S{0,40})/gu;
const codePattern = /(?<=\S\s)[\p{L}.'’&$€£%-]{0,20}\p{N}\S{0,40}/gu;

function isCapitalized(question: string): boolean {
  const words = question.match(/(?<![\p{L}\p{N}])\p{L}+/gu) ?? [];
  return words.length > 2 && words.every((word) => /^(?:\p{Lu}|\P{Ll})/u.test(word));
}

function share<Item>(items: readonly Item[], isCounted: (item: Item) => boolean): number {
  const distinct = [...new Set(items)];
  return distinct.length === 0 ? 0 : distinct.filter(isCounted).length / distinct.length;
}

function maxOrZero(values: readonly number[]): number {
  return Math.max(0, ...values);
}
