import { dotProduct } from '../../../models/embedding/dot-product.ts';
import type { EmbeddingModel } from '../../../models/models.ts';
import { contentTerms } from '../../../text/terms.ts';
import { type Hit, hitText } from './hybrid-search.ts';

/** Number of first hits in which the words of the query are searched. */
const depth = 6;

/**
 * Maximum number of missing words. For each, the query is embedded once more without the word, which takes the built-in
 * model a few milliseconds.
 */
const maxMissingTerms = 5;

export interface MissingMeaning {
  /** Missing share of the meaning: 0 if the hits contain all content words of the query, at most 1. */
  readonly share: number;
  /** Tokens counted by the embedding model. */
  readonly embeddingTokens: number;
}

/**
 * Returns how much of a query's meaning is in words that none of the first hits contains. For each such word, takes the
 * cosine distance between the query with and without the word, and returns the sum. A name or a topic changes the
 * meaning a lot, and a word such as "mentioned" hardly changes it. This works for any spelling and needs no list of
 * words.
 *
 * Returns 0 if the model does not run in this process, because each missing word needs an embedding, or if the model
 * knows none of the words.
 */
export async function missingMeaning(
  model: EmbeddingModel | null,
  input: {
    readonly query: string;
    readonly queryVector: Float32Array | null;
    readonly vocabularyCoverage: number;
    readonly hits: readonly Hit[];
  },
  signal: AbortSignal,
): Promise<MissingMeaning> {
  const { query, queryVector, vocabularyCoverage } = input;
  const none = { share: 0, embeddingTokens: 0 };
  if (model?.isInProcess !== true || queryVector === null || vocabularyCoverage === 0) return none;
  const reduced = queriesWithoutMissing(query, input.hits);
  if (reduced.length === 0) return none;
  const { vectors, tokens } = await model.embed(reduced, { signal, kind: 'query' });
  const distances = vectors.map((vector) => Math.max(0, 1 - dotProduct(queryVector, vector)));
  const sum = distances.reduce((total, distance) => total + distance, 0);
  return { share: Math.min(1, sum), embeddingTokens: tokens };
}

/** Returns one query for each content word that no hit contains: the query without that word. */
function queriesWithoutMissing(query: string, hits: readonly Hit[]): string[] {
  const found = new Set(hits.slice(0, depth).flatMap((hit) => contentTerms(hitText(hit))));
  const words = query.split(/\s+/).map((word) => ({ word, terms: contentTerms(word) }));
  const missing = new Set(words.flatMap(({ terms }) => terms.filter((term) => !found.has(term))));
  return [...missing]
    .slice(0, maxMissingTerms)
    .map((term) => words.filter(({ terms }) => !terms.includes(term)))
    .filter((rest) => rest.length > 0 && rest.length < words.length)
    .map((rest) => rest.map(({ word }) => word).join(' '));
}
