import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { runSql } from '../platform/postgres/run-sql.ts';
import type { CallRecord } from './availability/call-record.ts';
import { requireDimensions } from './embedding/require-dimensions.ts';
import type { ChatModel, EmbeddingModel, Models, Reranker } from './models.ts';

/**
 * The models that this process uses. Vectors of two embedding models are never compared. If the stored vectors were
 * created by another embedding model than the configured one, that model is used until `reindex` has created new
 * vectors.
 */
export interface ServingModels {
  readonly chat: ChatModel;
  /** Null if no reranker is configured. */
  readonly reranker: Reranker | null;
  readonly calls: CallRecord;
  readonly hosts: ModelHosts;
  /** The embedding model of the configuration. `reindex` switches to it. */
  readonly configuredEmbedding: EmbeddingModel;
  /** Returns the embedding model for queries and new documents. */
  servingEmbedding(): Promise<ServingEmbedding>;
  /**
   * Returns an embedding model to try. The name is a stored name, or the name of a model, which then has its default
   * prefixes. The name of the returned model is always a stored name. Returns null if the configuration has no such model.
   */
  findEmbedding(name: string): EmbeddingModel | null;
  /** Clears the cached embedding model. Call it after another model has become active. */
  refresh(): void;
}

/** Host and port of each model server, such as `api.openai.com`, without path and credentials. Null without a server. */
interface ModelHosts {
  readonly openAi: string | null;
  readonly rerank: string | null;
}

export interface ServingEmbedding {
  /**
   * Model that created the stored vectors. Null if it is not available with this configuration. It fails if its vectors
   * do not have the size of the stored vectors.
   */
  readonly model: EmbeddingModel | null;
  /** Id of the model's row in `embedding_models`. Null until the first document is embedded. */
  readonly id: number | null;
}

interface ActiveModel {
  readonly id: number;
  readonly name: string;
  readonly dimensions: number;
}

/**
 * How long the active model is cached, although another process may run `reindex` in the meantime. `reindex` keeps the
 * old vectors for a longer time than this.
 */
const cacheMs = 5_000;

/** Maximum number of models to try that are kept, with the state of their circuit breakers. */
const maxTriedModels = 20;

/**
 * Reads from the database which embedding model is active. Logs a warning if it is not the configured model.
 * `findByName` creates the model of an earlier configuration, or returns null if that model is not available.
 * `findToTry` does the same for a model that an evaluation run tries.
 */
export function createServingModels(options: {
  readonly configured: Models;
  readonly reranker: Reranker | null;
  readonly calls: CallRecord;
  readonly hosts: ModelHosts;
  readonly findByName: (name: string) => EmbeddingModel | null;
  readonly findToTry: (name: string) => EmbeddingModel | null;
  readonly pool: Pool;
  readonly log: Logger;
}): ServingModels {
  const { configured, pool } = options;
  let cached: { readonly value: ServingEmbedding; readonly until: number } | null = null;
  let warnedName: string | null = null;
  const triedModels = new Map<string, EmbeddingModel>();

  return {
    chat: configured.chat,
    reranker: options.reranker,
    calls: options.calls,
    hosts: options.hosts,
    configuredEmbedding: configured.embedding,
    refresh() {
      cached = null;
    },
    findEmbedding(name) {
      if (name === configured.embedding.name) return configured.embedding;
      const known = triedModels.get(name);
      if (known !== undefined) return known;
      const model = options.findToTry(name);
      if (model === null || model.name === configured.embedding.name) {
        return model && configured.embedding;
      }
      const [oldest] = triedModels.keys();
      if (oldest !== undefined && triedModels.size >= maxTriedModels) triedModels.delete(oldest);
      triedModels.set(name, model);
      return model;
    },
    async servingEmbedding() {
      if (cached !== null && cached.until > performance.now()) return cached.value;
      const [active] = await runSql<ActiveModel>(
        pool,
        `select id, name, dimensions from grounded.embedding_models where status = 'ACTIVE'`,
      );
      const value =
        active === undefined ? { model: configured.embedding, id: null } : selectServing(active);
      // Caches only an existing model. The first document registers a model, and other requests must see it
      // immediately.
      if (value.id !== null) cached = { value, until: performance.now() + cacheMs };
      return value;
    },
  };

  function selectServing({ id, name, dimensions }: ActiveModel): ServingEmbedding {
    if (cached?.value.id === id) return cached.value;
    if (name === configured.embedding.name) {
      return { model: requireDimensions(configured.embedding, dimensions), id };
    }
    const model = options.findByName(name);
    if (warnedName !== name) {
      warnedName = name;
      options.log.warn(
        {
          serving: name,
          configured: configured.embedding.name,
          semanticSearch: model !== null,
        },
        'the embedding model has changed: run "npm run cli -- reindex" to use the new model',
      );
    }
    return { model: model && requireDimensions(model, dimensions), id };
  }
}
