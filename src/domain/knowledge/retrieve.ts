import type { Context } from '../context.ts';
import { poolSql } from '../run-sql.ts';
import { type Hit, hybridSearch } from './hybrid-search.ts';

export interface Retrieval {
  /** Best first. */
  readonly hits: readonly Hit[];
  /** Tokens the embedding model counted. */
  readonly embeddingTokens: number;
}

/**
 * The one retrieval of the service: answers and `POST /knowledge/search` both come from here. Embeds the
 * query with the model that the stored vectors were made with, then asks the database once.
 */
export async function retrieve(
  { pool, models, signal }: Pick<Context, 'pool' | 'models' | 'signal'>,
  input: { readonly projectId: string; readonly query: string; readonly limit: number },
): Promise<Retrieval> {
  const { model, id } = await models.servingEmbedding();
  const embedded =
    model === null || id === null
      ? null
      : await model.embed([input.query], { signal, kind: 'query' });
  const hits = await hybridSearch(poolSql(pool), {
    ...input,
    modelId: id,
    queryVector: embedded?.vectors[0] ?? null,
    familiarity: embedded?.familiarity?.[0],
  });
  return { hits, embeddingTokens: embedded?.tokens ?? 0 };
}
