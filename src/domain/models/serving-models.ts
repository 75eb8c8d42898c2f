import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { ChatModel, EmbeddingModel, Models, Reranker } from './models.ts';

/**
 * The models in service. Vectors of two embedding models are never compared: while the configured
 * embedding model differs from the one the stored vectors were made with, the latter goes on serving,
 * until a re-indexing has made all vectors anew.
 */
export interface ServingModels {
  readonly chat: ChatModel;
  /** Null where none is configured. */
  readonly reranker: Reranker | null;
  /** What the configuration asks for; the target of a re-indexing. */
  readonly configuredEmbedding: EmbeddingModel;
  /** What queries and new documents are embedded with now. */
  servingEmbedding(): Promise<ServingEmbedding>;
  /** Forgets what is cached of the database, after a change of model. */
  refresh(): void;
}

export interface ServingEmbedding {
  /** Null where the vectors in the database come from a model this configuration cannot reach. */
  readonly model: EmbeddingModel | null;
  /** The row in `embedding_models`; null as long as nothing has been embedded. */
  readonly id: number | null;
}

/** Another process may have re-indexed; old vectors outlive the change by more than this. */
const cacheMs = 5_000;

/**
 * `findByName` makes the model that an earlier configuration used, or says null where it cannot.
 */
export function servingModels(options: {
  readonly configured: Models;
  readonly reranker: Reranker | null;
  readonly findByName: (name: string) => EmbeddingModel | null;
  readonly pool: Pool;
  readonly log: Logger;
}): ServingModels {
  const { configured, pool } = options;
  let cached: { readonly value: ServingEmbedding; readonly until: number } | null = null;
  let warnedOf: string | null = null;

  return {
    chat: configured.chat,
    reranker: options.reranker,
    configuredEmbedding: configured.embedding,
    refresh() {
      cached = null;
    },
    async servingEmbedding() {
      if (cached !== null && cached.until > performance.now()) return cached.value;
      const found = await pool.query<{ id: number; name: string }>(
        `select id, name from grounded.embedding_models where status = 'ACTIVE'`,
      );
      const active = found.rows[0];
      const value =
        active === undefined ? { model: configured.embedding, id: null } : choose(active);
      // A model is registered by the first document, which other requests must see at once.
      if (value.id !== null) cached = { value, until: performance.now() + cacheMs };
      return value;
    },
  };

  function choose(active: { id: number; name: string }): ServingEmbedding {
    if (active.name === configured.embedding.name)
      return { model: configured.embedding, id: active.id };
    const model = options.findByName(active.name);
    if (warnedOf !== active.name) {
      warnedOf = active.name;
      options.log.warn(
        {
          serving: active.name,
          configured: configured.embedding.name,
          semanticSearch: model !== null,
        },
        'the embedding model has changed: run "npm run cli -- reindex" to change over',
      );
    }
    return { model, id: active.id };
  }
}
