import type { EmbeddingModel, Reranker } from '../models/models.ts';
import { embeddedText } from './chunk-rows.ts';
import { comparedChunks, compareSentences } from './compare-sentences.ts';
import { withoutRepeats } from './drop-repeats.ts';
import type { Hit } from './hybrid-search.ts';
import { periodWeights } from './prefer-period.ts';

/** Hits to ask the database for at least, so that what comes first does not depend on how many are wanted. */
export const rankedCandidates = 40;

/** Hits that a reranker reads: what an answer needs is among them, and each costs it some milliseconds. */
const rerankedHits = 30;

export interface Ranking {
  readonly query: string;
  readonly queryVector: Float32Array | null;
  /** How well the model knows the words of the query, 0 to 1. */
  readonly familiarity: number;
  readonly model: EmbeddingModel | null;
  readonly reranker: Reranker | null;
  /** Best first. */
  readonly hits: readonly Hit[];
  readonly limit: number;
}

export interface RankedHits {
  /** Best first. */
  readonly hits: readonly Hit[];
  /** Tokens the embedding model counted. */
  readonly embeddingTokens: number;
}

/**
 * What was found, put in its final order: documents of other periods than the one asked for fall behind, what says
 * again what was said is left out. Then a reranker reads the first hits, or else, where the embedding model runs in
 * this process, sentences of them are compared.
 */
export async function rankHits(ranking: Ranking, signal: AbortSignal): Promise<RankedHits> {
  const { query, queryVector, familiarity, model, reranker, limit } = ranking;
  const weightOf = periodWeights(query, ranking.hits);
  const found = ordered(ranking.hits, (hit) => hit.score * weightOf(hit));
  const looksAt = Math.max(limit, reranker === null ? comparedChunks : rerankedHits);
  const hits = withoutRepeats(found, looksAt);
  const finish = (hits: readonly Hit[], embeddingTokens: number) => ({
    hits: hits.slice(0, limit),
    embeddingTokens,
  });
  const weighted = (hits: readonly Hit[]) =>
    ordered(
      hits.map((hit) => ({ ...hit, score: hit.score * weightOf(hit) })),
      ({ score }) => score,
    );

  const reranked = await rerank(reranker, query, hits, weightOf, signal);
  if (reranked !== null) return finish(inPlaces(reranked, weighted(hits)), 0);
  if (model?.isInProcess !== true || queryVector === null) return finish(weighted(hits), 0);
  const compared = await compareSentences(model, { query, queryVector, familiarity, hits }, signal);
  return finish(weighted(compared.hits), compared.tokens);
}

/** The first hits in the reranker's order, before the others; null without a reranker, or where it cannot tell. */
async function rerank(
  reranker: Reranker | null,
  query: string,
  hits: readonly Hit[],
  weightOf: (hit: Hit) => number,
  signal: AbortSignal,
): Promise<Hit[] | null> {
  if (reranker === null || hits.length < 2) return null;
  const read = hits.slice(0, rerankedHits);
  const texts = read.map((hit) => embeddedText(hit.documentName, hit));
  const scores = await reranker.score(query, texts, signal);
  if (scores === null) return null;
  const scoreOf = new Map(read.map((hit, index) => [hit, (scores[index] ?? 0) * weightOf(hit)]));
  return [...ordered(read, (hit) => scoreOf.get(hit) ?? 0), ...hits.slice(rerankedHits)];
}

/**
 * The n-th hit with the n-th best score: every model spreads its own differently, and what a score means, to callers and
 * to confidence, must not depend on that.
 */
function inPlaces(hits: readonly Hit[], byScore: readonly Hit[]): Hit[] {
  return hits.map((hit, place) => ({ ...hit, score: byScore[place]?.score ?? hit.score }));
}

/** Best first; what is as good keeps its order. */
function ordered(hits: readonly Hit[], goodnessOf: (hit: Hit) => number): Hit[] {
  return hits.toSorted((left, right) => goodnessOf(right) - goodnessOf(left));
}
