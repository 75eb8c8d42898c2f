import type { EmbeddingModel } from '../models/models.ts';
import { comparedChunks, compareSentences } from './compare-sentences.ts';
import { withoutRepeats } from './drop-repeats.ts';
import type { Hit } from './hybrid-search.ts';
import { periodWeights } from './prefer-period.ts';

/** Hits to ask the database for at least, so that what comes first does not depend on how many are wanted. */
export const rankedCandidates = 40;

export interface RankedHits {
  /** Best first. */
  readonly hits: readonly Hit[];
  /** Tokens the embedding model counted. */
  readonly embeddingTokens: number;
}

/**
 * What was found, put in its final order: documents of other periods than the one asked for fall behind, what says
 * again what was said is left out, and sentences of the first hits are compared where the model runs in this process.
 */
export async function rankHits(
  input: {
    readonly query: string;
    readonly queryVector: Float32Array | null;
    /** How well the model knows the words of the query, 0 to 1. */
    readonly familiarity: number;
    readonly model: EmbeddingModel | null;
    /** Best first. */
    readonly hits: readonly Hit[];
    readonly limit: number;
  },
  signal: AbortSignal,
): Promise<RankedHits> {
  const { query, queryVector, familiarity, model, limit } = input;
  const weightOf = periodWeights(query, input.hits);
  const found = ordered(input.hits, weightOf);
  const hits = withoutRepeats(found, Math.max(limit, comparedChunks));
  const compared =
    model?.isInProcess === true && queryVector !== null
      ? await compareSentences(model, { query, queryVector, familiarity, hits }, signal)
      : { hits, tokens: 0 };
  return {
    hits: ordered(compared.hits, weightOf)
      .slice(0, limit)
      .map((hit) => ({ ...hit, score: hit.score * weightOf(hit) })),
    embeddingTokens: compared.tokens,
  };
}

/** Best first; what weighs alike keeps its order. */
function ordered(hits: readonly Hit[], weightOf: (hit: Hit) => number): Hit[] {
  return hits.toSorted(
    (left, right) => right.score * weightOf(right) - left.score * weightOf(left),
  );
}
