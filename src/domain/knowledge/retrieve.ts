import type { Context } from '../context.ts';
import { poolSql } from '../run-sql.ts';
import { type Hit, hybridSearch } from './hybrid-search.ts';
import { rankedCandidates, rankHits } from './rank-hits.ts';

export interface Retrieval {
  /** Best first. */
  readonly hits: readonly Hit[];
  /** Tokens the embedding model counted. */
  readonly embeddingTokens: number;
  /** The model whose vectors were searched; null for full text alone. */
  readonly embeddingModel: string | null;
  /** How well it knows the words of the query, 0 to 1; 1 where that is not known. */
  readonly familiarity: number;
}

/**
 * The one retrieval of the service: answers and `POST /knowledge/search` both come from here. Embeds the
 * query with the model that the stored vectors were made with, asks the database once, and ranks what it found.
 */
export async function retrieve(
  { pool, models, signal }: Pick<Context, 'pool' | 'models' | 'signal'>,
  input: { readonly projectId: string; readonly query: string; readonly limit: number },
): Promise<Retrieval> {
  const { projectId, query, limit } = input;
  const { model, id } = await models.servingEmbedding();
  const embedded =
    model === null || id === null ? null : await model.embed([query], { signal, kind: 'query' });
  const queryVector = embedded?.vectors[0] ?? null;
  const familiarity = embedded?.familiarity?.[0] ?? 1;
  const found = await hybridSearch(poolSql(pool), {
    projectId,
    query,
    modelId: id,
    queryVector,
    familiarity,
    limit: Math.max(2 * limit, rankedCandidates),
  });
  const { reranker } = models;
  const ranking = { query, queryVector, familiarity, model, reranker, hits: found, limit };
  const { hits, embeddingTokens } = await rankHits(ranking, signal);
  return {
    hits,
    embeddingTokens: (embedded?.tokens ?? 0) + embeddingTokens,
    embeddingModel: embedded === null ? null : (model?.name ?? null),
    familiarity,
  };
}
