import { isTemporary } from '../../../models/embedding-circuit-breaker.ts';
import type { EmbeddingModel, Embeddings } from '../../../models/models.ts';
import type { Context } from '../../context.ts';
import { type Hit, hybridSearch } from './hybrid-search.ts';
import { minCandidates, rankHits } from './rank-hits.ts';

export interface Retrieval {
  /** Best first. */
  readonly hits: readonly Hit[];
  /** Tokens counted by the embedding model. */
  readonly embeddingTokens: number;
  /** The embedding model that was searched; null for full-text search only. */
  readonly embeddingModel: string | null;
  /** How well the model's vocabulary covers the query, 0 to 1; 1 if unknown. */
  readonly vocabularyCoverage: number;
}

/**
 * Retrieves the best chunks for a query. Both answers and `POST /knowledge/search` use it. Embeds the query with the
 * model that computed the stored vectors, searches with one database statement and ranks the hits. While the model is
 * temporarily unavailable, uses full-text search only.
 */
export async function retrieve(
  { pool, models, signal }: Pick<Context, 'pool' | 'models' | 'signal'>,
  input: { readonly projectId: string; readonly query: string; readonly limit: number },
): Promise<Retrieval> {
  const { projectId, query, limit } = input;
  const { model, id } = await models.servingEmbedding();
  const queryEmbedding =
    model === null || id === null ? null : await embedQuery(model, query, signal);
  const queryVector = queryEmbedding?.vectors[0] ?? null;
  const vocabularyCoverage = queryEmbedding?.vocabularyCoverage?.[0] ?? 1;
  const found = await hybridSearch(pool, {
    projectId,
    query,
    modelId: id,
    queryVector,
    vocabularyCoverage,
    limit: Math.max(2 * limit, minCandidates),
  });
  const { reranker } = models;
  const ranking = {
    query,
    queryVector,
    vocabularyCoverage: vocabularyCoverage,
    model,
    reranker,
    hits: found,
    limit,
  };
  const { hits, embeddingTokens } = await rankHits(ranking, signal);
  return {
    hits,
    embeddingTokens: (queryEmbedding?.tokens ?? 0) + embeddingTokens,
    embeddingModel: queryEmbedding === null ? null : (model?.name ?? null),
    vocabularyCoverage,
  };
}

/** Returns null if the model is temporarily unavailable. */
async function embedQuery(
  model: EmbeddingModel,
  query: string,
  signal: AbortSignal,
): Promise<Embeddings | null> {
  try {
    return await model.embed([query], { signal, kind: 'query' });
  } catch (error) {
    signal.throwIfAborted();
    if (isTemporary(error)) return null;
    throw error;
  }
}
