import type { Context } from '../context.ts';
import { poolSql } from '../run-sql.ts';
import { comparedChunks, compareSentences } from './compare-sentences.ts';
import { type Hit, hybridSearch } from './hybrid-search.ts';

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
 * query with the model that the stored vectors were made with, asks the database once, and compares sentences of the
 * first hits where the model runs in this process.
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
  const comparesSentences = model?.isInProcess === true && queryVector !== null;
  const hits = await hybridSearch(poolSql(pool), {
    projectId,
    query,
    modelId: id,
    queryVector,
    familiarity,
    // What comes first must not depend on how many are asked for.
    limit: comparesSentences ? Math.max(limit, comparedChunks) : limit,
  });
  const embeddingTokens = embedded?.tokens ?? 0;
  const embeddingModel = embedded === null ? null : (model?.name ?? null);
  if (!comparesSentences) return { hits, embeddingTokens, embeddingModel, familiarity };
  const compared = await compareSentences(model, { query, queryVector, familiarity, hits }, signal);
  return {
    hits: compared.hits.slice(0, limit),
    embeddingTokens: embeddingTokens + compared.tokens,
    embeddingModel,
    familiarity,
  };
}
