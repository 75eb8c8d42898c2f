import { dotProduct } from '../../../models/embedding/dot-product.ts';
import {
  type SimilarityScale,
  scaledSimilarity,
  unchangedScale,
} from '../../../models/embedding/similarity-scale.ts';
import type { EmbeddingModel, Embeddings } from '../../../models/models.ts';
import { sentencesOf } from '../../../text/sentences.ts';
import { contentTerms } from '../../../text/terms.ts';
import { embeddingInput } from '../ingestion/chunk-terms.ts';
import { fusedScore, type Hit } from './hybrid-search.ts';

/**
 * Number of hits to rerank. Only one sentence of each hit is compared: the sentence that has the most words in common
 * with the query.
 */
export const sentenceRerankDepth = 6;

/** Weight of the sentence similarity in the similarity of a hit, if the vocabulary covers the whole query. */
const maxSentenceWeight = 0.7;

/**
 * Minimum length of a passage in UTF-16 units. A shorter passage is joined with the next sentence, because very short
 * texts are similar to every text.
 */
const minSentenceLength = 80;

export interface SentenceRerankInput {
  readonly query: string;
  readonly queryVector: Float32Array;
  /** How well the model's vocabulary covers the query, 0 to 1. */
  readonly vocabularyCoverage: number;
  /** Default: similarities are not converted. */
  readonly similarityScale?: SimilarityScale;
  readonly hits: readonly Hit[];
}

export interface SentenceRerankResult {
  /** Hits, best first. Only the first `sentenceRerankDepth` hits are reordered. */
  readonly hits: readonly Hit[];
  /** Tokens counted by the embedding model. */
  readonly embeddingTokens: number;
}

/**
 * Reorders the first hits by the similarity between the query and the best sentence of each hit. The vector of a chunk
 * is not enough: it averages over the whole content and hides single facts. Embeds all sentences with one call.
 */
export async function rerankBySentences(
  model: EmbeddingModel,
  input: SentenceRerankInput,
  signal: AbortSignal,
): Promise<SentenceRerankResult> {
  const { query, queryVector, vocabularyCoverage, hits } = input;
  const scale = input.similarityScale ?? unchangedScale;
  const weight = maxSentenceWeight * vocabularyCoverage;
  if (weight === 0 || hits.length < 2) return { hits, embeddingTokens: 0 };
  const candidates = hits.slice(0, sentenceRerankDepth);
  const terms = new Set(contentTerms(query));
  const sentences = candidates.map((hit) => mostOverlappingSentence(hit, terms));
  const { vectors, tokens } = await embedWithCache(model, sentences, signal);
  const rescored = candidates.map((hit, index) => {
    const cosine = dotProduct(queryVector, vectors[index] ?? new Float32Array());
    const sentenceSimilarity = scaledSimilarity(cosine, scale);
    const similarity = Math.min(1, (1 - weight) * hit.similarity + weight * sentenceSimilarity);
    return { ...hit, similarity, score: fusedScore({ ...hit, similarity }, vocabularyCoverage) };
  });
  rescored.sort((left, right) => right.score - left.score);
  const maxScore = rescored.at(-1)?.score ?? 0;
  const remaining = hits.slice(sentenceRerankDepth).map((hit) => ({
    ...hit,
    score: Math.min(hit.score, maxScore),
  }));
  return { hits: [...rescored, ...remaining], embeddingTokens: tokens };
}

interface Sentence {
  /**
   * Cache key: the chunk id and the position of the passage. The text need not be in the key, because the text of a
   * chunk never changes.
   */
  readonly key: string;
  readonly text: string;
}

/** Maximum number of cached vectors per model. A vector of the built-in model has 1.5 kB. */
const maxCachedVectors = 4_096;
const vectorCaches = new WeakMap<EmbeddingModel, Map<string, Float32Array>>();

/** Embeds sentences with an LRU cache, because queries often find the same documents. */
async function embedWithCache(
  model: EmbeddingModel,
  sentences: readonly Sentence[],
  signal: AbortSignal,
): Promise<Pick<Embeddings, 'vectors' | 'tokens'>> {
  const owner = model.observed ?? model;
  const cache = vectorCaches.get(owner) ?? new Map<string, Float32Array>();
  vectorCaches.set(owner, cache);
  const missing = sentences.filter(({ key }) => !cache.has(key));
  const texts = missing.map(({ text }) => text);
  const options = { signal, kind: 'query', role: 'document' } as const;
  const embedded = texts.length === 0 ? null : await model.embed(texts, options);
  const newVectors = new Map(missing.map(({ key }, index) => [key, embedded?.vectors[index]]));
  const vectors = sentences.map(({ key }) => {
    const vector = newVectors.get(key) ?? cache.get(key) ?? new Float32Array();
    // Inserting the entry again makes it the most recently used.
    cache.delete(key);
    cache.set(key, vector);
    return vector;
  });
  for (const key of cache.keys()) {
    if (cache.size <= maxCachedVectors) break;
    cache.delete(key);
  }
  return { vectors, tokens: embedded?.tokens ?? 0 };
}

/**
 * Returns the passage that has the most terms in common with the query. Puts the document's name before it, as
 * `embeddingInput` does.
 */
function mostOverlappingSentence(hit: Hit, terms: ReadonlySet<string>): Sentence {
  const countSharedTerms = (text: string) =>
    new Set(contentTerms(text).filter((term) => terms.has(term))).size;
  const [closest] = splitPassages(hit.content)
    .map((text, index) => ({ text, index, shared: countSharedTerms(text) }))
    .sort((left, right) => right.shared - left.shared);
  const content = closest?.text ?? hit.content;
  return {
    key: `${hit.chunkId}:${closest?.index ?? -1}`,
    text: embeddingInput(hit.documentName, { context: '', content }),
  };
}

function splitPassages(content: string): string[] {
  const passages: string[] = [];
  for (const { text } of sentencesOf(content)) {
    const sentence = text.replace(/\s+/g, ' ').trim();
    const last = passages.at(-1);
    if (last !== undefined && last.length < minSentenceLength) {
      passages[passages.length - 1] = `${last} ${sentence}`;
    } else {
      passages.push(sentence);
    }
  }
  return passages;
}
