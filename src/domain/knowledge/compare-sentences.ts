import type { EmbeddingModel, Embeddings } from '../models/models.ts';
import { sentencesOf } from '../models/sentences.ts';
import { contentTerms } from '../models/terms.ts';
import { embeddedText } from './chunk-rows.ts';
import { fusedScore, type Hit } from './hybrid-search.ts';

/** The first hits are looked at, and of each the sentence that shares most words with the query. */
export const comparedChunks = 6;

/** How much the closest sentence counts beside the whole chunk, where the model knows the words of the query. */
const sentenceWeight = 0.7;

/** Shorter sentences are read with the next: alone they are close to anything. In UTF-16 units. */
const shortSentence = 80;

export interface ComparedHits {
  /** Best first; the first `comparedChunks` in a new order. */
  readonly hits: readonly Hit[];
  /** Tokens the embedding model counted. */
  readonly tokens: number;
}

/**
 * Puts the first hits in order by what their sentences mean: the vector of a chunk is a mean over all it speaks of, a
 * single fact drowns in it. For a model in this process only, as some sentences are embedded with each query.
 */
export async function compareSentences(
  model: EmbeddingModel,
  input: {
    readonly query: string;
    readonly queryVector: Float32Array;
    /** How well the model knows the words of the query, 0 to 1. */
    readonly familiarity: number;
    readonly hits: readonly Hit[];
  },
  signal: AbortSignal,
): Promise<ComparedHits> {
  const { query, queryVector, familiarity, hits } = input;
  const weight = sentenceWeight * familiarity;
  if (weight === 0 || hits.length < 2) return { hits, tokens: 0 };
  const compared = hits.slice(0, comparedChunks);
  const terms = new Set(contentTerms(query));
  const sentences = compared.map((hit) => closestInWords(hit, terms));
  const { vectors, tokens } = await embedRemembered(model, sentences, signal);
  const rescored = compared.map((hit, index) => {
    const closest = Math.max(0, dot(queryVector, vectors[index] ?? new Float32Array()));
    const similarity = Math.min(1, (1 - weight) * hit.similarity + weight * closest);
    return { ...hit, similarity, score: fusedScore({ ...hit, similarity }, familiarity) };
  });
  rescored.sort((left, right) => right.score - left.score);
  const ceiling = rescored.at(-1)?.score ?? 0;
  const others = hits.slice(comparedChunks).map((hit) => ({
    ...hit,
    score: Math.min(hit.score, ceiling),
  }));
  return { hits: [...rescored, ...others], tokens };
}

interface Sentence {
  /** Names the chunk and the place in it, whose text never changes; no text is kept. */
  readonly key: string;
  readonly text: string;
}

/** Of each model so many vectors, of 1.5 kB with the built-in one. */
const maxRemembered = 4_096;
const remembered = new WeakMap<EmbeddingModel, Map<string, Float32Array>>();

/** Popular documents are compared again and again: their sentences are embedded once, while they are asked for. */
async function embedRemembered(
  model: EmbeddingModel,
  sentences: readonly Sentence[],
  signal: AbortSignal,
): Promise<Pick<Embeddings, 'vectors' | 'tokens'>> {
  const known = remembered.get(model) ?? new Map<string, Float32Array>();
  remembered.set(model, known);
  const missing = sentences.filter(({ key }) => !known.has(key));
  const texts = missing.map(({ text }) => text);
  const embedded = texts.length === 0 ? null : await model.embed(texts, { signal, kind: 'query' });
  const made = new Map(missing.map(({ key }, index) => [key, embedded?.vectors[index]]));
  const vectors = sentences.map(({ key }) => {
    const vector = made.get(key) ?? known.get(key) ?? new Float32Array();
    // The latest are the last.
    known.delete(key);
    known.set(key, vector);
    return vector;
  });
  for (const key of known.keys()) {
    if (known.size <= maxRemembered) break;
    known.delete(key);
  }
  return { vectors, tokens: embedded?.tokens ?? 0 };
}

/** With the document's name, as chunks are embedded. */
function closestInWords(hit: Hit, terms: ReadonlySet<string>): Sentence {
  const sharedIn = (text: string) =>
    new Set(contentTerms(text).filter((term) => terms.has(term))).size;
  const [closest] = passagesOf(hit.content)
    .map((text, index) => ({ text, index, shared: sharedIn(text) }))
    .sort((left, right) => right.shared - left.shared);
  const content = closest?.text ?? hit.content;
  return {
    key: `${hit.chunkId}:${closest?.index ?? -1}`,
    text: embeddedText(hit.documentName, { context: '', content }),
  };
}

function passagesOf(content: string): string[] {
  const passages: string[] = [];
  for (const { text } of sentencesOf(content)) {
    const sentence = text.replace(/\s+/g, ' ').trim();
    const last = passages.at(-1);
    if (last !== undefined && last.length < shortSentence) {
      passages[passages.length - 1] = `${last} ${sentence}`;
    } else {
      passages.push(sentence);
    }
  }
  return passages;
}

/** The cosine of unit vectors. */
function dot(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
}
