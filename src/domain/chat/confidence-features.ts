import type { Retrieval } from '../knowledge/retrieve.ts';
import { fold } from '../knowledge/tokenize.ts';
import { contentTerms } from '../models/terms.ts';

/** What tells whether the project's knowledge supports an answer; each 0 to 1. */
export interface ConfidenceFeatures {
  /** The best full-text match of a chunk, as a share of what the question could reach. */
  readonly lexical: number;
  /** The highest similarity of a chunk and the question; 0 where chunks have no vectors. */
  readonly similarity: number;
  /** How well the embedding model knows the words of the question. */
  readonly familiarity: number;
  /** How far the best chunk's score stands out from the third's, at most 0.3. */
  readonly lead: number;
  /** The largest share of the question's content words that one chunk holds, headings included. */
  readonly coverage: number;
  /** The share of the question's names, codes and numbers that no chunk holds. */
  readonly missingNames: number;
  /** See `answerSupport`; 1 as long as there is no answer. */
  readonly answerSupport: number;
}

/** The features of a question and what retrieval found for it, best first. */
export function retrievalFeatures(
  question: string,
  { hits, familiarity }: Pick<Retrieval, 'hits' | 'familiarity'>,
): ConfidenceFeatures {
  const [first, , third] = hits;
  const texts = hits.map((hit) => `${hit.documentName} ${hit.context} ${hit.content}`);
  const terms = texts.map((text) => new Set(contentTerms(text)));
  return {
    lexical: highest(hits.map((hit) => hit.lexical)),
    similarity: highest(hits.map((hit) => hit.similarity)),
    familiarity,
    lead: first && third ? Math.min(maxLead, first.score - third.score) : 0,
    coverage: highest(terms.map((held) => share(contentTerms(question), (term) => held.has(term)))),
    missingNames: missingNames(question, texts, terms),
    answerSupport: 1,
  };
}

const maxLead = 0.3;

/** Names are what is written large inside the question, codes and numbers what holds a digit. */
function missingNames(
  question: string,
  texts: readonly string[],
  terms: readonly ReadonlySet<string>[],
): number {
  const text = fold(texts.join(' '));
  const names = [...question.matchAll(nameOrNumber)]
    .map(([name]) => name.replace(/(?:['’]s?|[?.,!;:)]+)$/g, ''))
    .filter((name) => contentTerms(name).length > 0);
  const isHeld = (name: string) =>
    text.includes(fold(name)) ||
    contentTerms(name).every((term) => terms.some((held) => held.has(term)));
  return share(names, (name) => !isHeld(name));
}

const nameOrNumber = /(?<=\S\s)(?:\p{Lu}[\p{L}\p{N}.'’&-]*|[\p{L}.'’&$€£%-]{0,20}\p{N}\S{0,40})/gu;

function share<Item>(items: readonly Item[], isCounted: (item: Item) => boolean): number {
  const distinct = [...new Set(items)];
  return distinct.length === 0 ? 0 : distinct.filter(isCounted).length / distinct.length;
}

function highest(values: readonly number[]): number {
  return Math.max(0, ...values);
}
