import type { SimilarityScale } from '../../../models/embedding/similarity-scale.ts';
import type { EmbeddingModel, Reranker } from '../../../models/models.ts';
import { parseSeries } from '../../../text/periods.ts';
import { embeddingInput } from '../ingestion/chunk-terms.ts';
import { earlierMessageWeights } from './earlier-message-weights.ts';
import type { Hit } from './hybrid-search.ts';
import { periodWeights } from './period-weights.ts';
import { removeNearDuplicates } from './remove-near-duplicates.ts';
import { rerankByEvidence } from './rerank-by-evidence.ts';
import {
  rerankBySentences,
  type SentenceRerankInput,
  sentenceRerankDepth,
} from './rerank-by-sentences.ts';

/**
 * Minimum number of hits to request from the database. Thus the best hits are the same for a small and a large `limit`.
 */
export const minCandidates = 40;

/**
 * Number of hits that the reranker scores. Relevant hits are almost always among them. Scoring one hit takes a few
 * milliseconds.
 */
const rerankDepth = 30;

export interface RankHitsInput {
  readonly query: string;
  readonly queryVector: Float32Array | null;
  /** How well the model's vocabulary covers the query, 0 to 1. */
  readonly vocabularyCoverage: number;
  /** Default: similarities are not converted. */
  readonly similarityScale?: SimilarityScale;
  readonly model: EmbeddingModel | null;
  readonly reranker: Reranker | null;
  /** Hits of the search, best first. */
  readonly hits: readonly Hit[];
  readonly limit: number;
}

export interface RankedHits {
  /** Ranked hits, best first. */
  readonly hits: readonly Hit[];
  /** All hits without near-duplicates, in the order before the reranker. */
  readonly distinct: readonly Hit[];
  /** Tokens counted by the embedding model. */
  readonly embeddingTokens: number;
  /** See `Reranking`. */
  readonly rerankTokens: number;
}

/**
 * Sorts the hits into their final order. First applies weights of periods and of quoted messages, and removes near-duplicates. Then a reranker, if
 * configured, scores the first hits. Without a reranker, `compareSentences` scores the first hits, and
 * `rerankByEvidence` then reorders them.
 */
export async function rankHits(ranking: RankHitsInput, signal: AbortSignal): Promise<RankedHits> {
  const { query, queryVector, model, reranker, limit } = ranking;
  const periodWeightOf = periodWeights(query, ranking.hits);
  const earlierWeightOf = earlierMessageWeights(ranking.hits);
  const weightOf = (hit: Hit) => periodWeightOf(hit) * earlierWeightOf(hit);
  const weightedHits = sortByScoreDescending(ranking.hits, (hit) => hit.score * weightOf(hit));
  const depth = Math.max(limit, reranker === null ? sentenceRerankDepth : rerankDepth);
  const distinct = removeNearDuplicates(weightedHits, weightedHits.length, {
    canReplace: isSamePeriod,
    promote: (hit, { score, similarity, lexical }) => ({ ...hit, score, similarity, lexical }),
  });
  const hits = distinct.slice(0, depth);
  const byEvidence = (hits: readonly Hit[]) => rerankByEvidence(query, applyWeights(hits));
  const toRankedHits = (hits: readonly Hit[], { embeddingTokens = 0, rerankTokens = 0 }) => ({
    hits: hits.slice(0, limit),
    ...{ distinct, embeddingTokens, rerankTokens },
  });
  const applyWeights = (hits: readonly Hit[]) =>
    sortByScoreDescending(
      hits.map((hit) => ({ ...hit, score: hit.score * weightOf(hit) })),
      ({ score }) => score,
    );

  const reranked = await rerank(reranker, query, hits, weightOf, signal);
  if (reranked !== null) {
    const { tokens: rerankTokens } = reranked;
    return toRankedHits(assignScoresByRank(reranked.hits, applyWeights(hits)), { rerankTokens });
  }
  if (model === null || queryVector === null) return toRankedHits(byEvidence(hits), {});
  const compared = await compareSentences(model, { ...ranking, queryVector, hits }, signal);
  return toRankedHits(byEvidence(compared.hits), compared);
}

/** Maximum time to embed sentences on a server. If it takes longer, the hits keep the order of the search. */
const remoteSentencesTimeoutMs = 2_000;

/**
 * Compares the sentences of the first hits with the query. Does this only if the embedding model runs in this process,
 * or if the operator has enabled it for the server of the model.
 */
async function compareSentences(
  model: EmbeddingModel,
  input: SentenceRerankInput,
  signal: AbortSignal,
): Promise<Pick<RankedHits, 'hits' | 'embeddingTokens'>> {
  if (model.isInProcess === true) return rerankBySentences(model, input, signal);
  if (model.comparesSentences !== true) return { hits: input.hits, embeddingTokens: 0 };
  try {
    const timeout = AbortSignal.timeout(remoteSentencesTimeoutMs);
    return await rerankBySentences(model, input, AbortSignal.any([signal, timeout]));
  } catch {
    signal.throwIfAborted();
    return { hits: input.hits, embeddingTokens: 0 };
  }
}

/**
 * Sorts the first hits by the reranker's scores. The other hits follow. Returns null if there is no reranker, if it
 * returns no scores, or if there are fewer than two hits.
 */
async function rerank(
  reranker: Reranker | null,
  query: string,
  hits: readonly Hit[],
  weightOf: (hit: Hit) => number,
  signal: AbortSignal,
): Promise<{ readonly hits: readonly Hit[]; readonly tokens: number } | null> {
  if (reranker === null || hits.length < 2) return null;
  const candidates = hits.slice(0, rerankDepth);
  const texts = candidates.map((hit) => embeddingInput(hit.documentName, hit));
  const reranking = await reranker.score(query, texts, signal);
  if (reranking === null) return null;
  const { scores, tokens } = reranking;
  const scoreOf = new Map(
    candidates.map((hit, index) => [hit, (scores[index] ?? 0) * weightOf(hit)]),
  );
  const sorted = sortByScoreDescending(candidates, (hit) => scoreOf.get(hit) ?? 0);
  return { hits: [...sorted, ...hits.slice(rerankDepth)], tokens };
}

/**
 * Gives the n-th hit the n-th best search score. Does not use the reranker's own scores, because their range depends on
 * the reranker. Callers and the confidence model need comparable scores.
 */
function assignScoresByRank(hits: readonly Hit[], byScore: readonly Hit[]): Hit[] {
  return hits.map((hit, rank) => ({ ...hit, score: byScore[rank]?.score ?? hit.score }));
}

/** Returns false if the documents cover different periods, such as two quarterly reports. */
function isSamePeriod(one: Hit, other: Hit): boolean {
  const [period, otherPeriod] = [one, other].map(
    ({ documentName }) => parseSeries(documentName).period,
  );
  return JSON.stringify(period) === JSON.stringify(otherPeriod);
}

/** Sorts best first. Hits with equal scores keep their order. */
function sortByScoreDescending(hits: readonly Hit[], scoreFor: (hit: Hit) => number): Hit[] {
  return hits.toSorted((left, right) => scoreFor(right) - scoreFor(left));
}
