import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { createRunningAnswerRegistry } from '../domain/chat/runs/running-answers.ts';
import type { Adapters } from '../domain/context.ts';
import { createCorpusStatisticsCache } from '../domain/knowledge/retrieval/corpus-statistics-cache.ts';
import { createEmbeddingTokenCounter } from '../domain/usage/embedding-token-counter.ts';
import { startExtractor } from '../extract/extractor-pool.ts';
import { builtInChatModel } from '../models/built-in-chat-model.ts';
import {
  type BuiltInEmbedding,
  createBuiltInEmbedding,
} from '../models/built-in-embedding-model.ts';
import { embeddingModelWithCircuitBreaker } from '../models/embedding-circuit-breaker.ts';
import {
  type EmbeddingOverrides,
  type EmbeddingSettings,
  embeddingSettings,
  noOverrides,
  parseStoredModelName,
} from '../models/embedding-settings.ts';
import { httpReranker } from '../models/http-reranker.ts';
import {
  instrumentedChatModel,
  instrumentedEmbeddingModel,
  instrumentedReranker,
} from '../models/instrumented-models.ts';
import type { ChatModel, ChatOptions, EmbeddingModel } from '../models/models.ts';
import { openAiChatModel } from '../models/openai-chat-model.ts';
import type { OpenAiEndpoint } from '../models/openai-client.ts';
import { openAiEmbeddingModel } from '../models/openai-embedding-model.ts';
import { rerankerWithCircuitBreaker } from '../models/reranker-circuit-breaker.ts';
import { createServingModels } from '../models/serving-models.ts';
import { createDirectory } from '../platform/create-directory.ts';
import { type DiskSpace, unlimitedDiskSpace } from '../platform/disk-space.ts';
import { startPostgresEvents } from '../platform/events/postgres-events.ts';
import { startQueue } from '../platform/jobs/queue.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { DatabaseSettings } from '../platform/postgres/database-pool.ts';
import { createLocalStorage } from '../platform/storage/local-storage.ts';
import { removeStaleTempFiles } from '../platform/storage/remove-stale-temp-files.ts';
import { createSupabaseStorage } from '../platform/storage/supabase-storage.ts';
import type { SupabaseProject } from '../platform/supabase-client.ts';
import { systemTenant } from '../platform/tenancy/tenant.ts';
import { connectDatabase } from '../platform/tenancy/tenant-database.ts';
import { createHttpWebhookSender } from '../platform/webhooks/http-webhook-sender.ts';
import { loadSecretBox } from './secret-keys.ts';

interface ChatSettings extends ChatOptions {
  readonly timeoutMs: number;
  readonly maxContextChunks: number;
  readonly maxContextTokens: number;
}

export interface AdapterSettings extends DatabaseSettings {
  /** Maximum connections for requests and jobs. The queue and live events use a few more. */
  readonly databasePoolSize: number;
  readonly dataDir: string;
  /** Null for a database on another machine. */
  readonly disk?: DiskSpace | null;
  /** Keys of `SECRETS_KEY`. Undefined or empty: one in `dataDir`. */
  readonly secretsKeys?: readonly string[];
  readonly openAi: {
    readonly baseUrl: string;
    readonly apiKey: string | null;
    readonly chatModel: string | null;
    readonly embeddingModel: string | null;
  } | null;
  /** Settings of the embedding model of `openAi`. Undefined for the defaults. */
  readonly embedding?: EmbeddingOverrides & { readonly comparesSentences: boolean };
  /** Settings of the language model. Undefined for the defaults. */
  readonly chat?: ChatSettings;
  readonly rerank: {
    readonly baseUrl: string;
    readonly apiKey: string | null;
    readonly model: string;
  } | null;
  /** The Supabase project whose Storage keeps uploaded files. Null keeps them below `dataDir`. */
  readonly supabase: SupabaseProject | null;
  readonly isWorker: boolean;
  readonly allowPrivateWebhooks: boolean;
  /** A loaded model, owned by the caller. If left out, the adapters create one and stop it. */
  readonly builtInEmbedding?: BuiltInEmbedding;
  readonly metrics: Metrics;
  readonly log: Logger;
}

export interface RunningAdapters extends Adapters {
  /** Stops everything that `startAdapters` started, in reverse order. */
  stop(): Promise<void>;
}

/** Starts all adapters. The database must already be migrated. */
export async function startAdapters(settings: AdapterSettings): Promise<RunningAdapters> {
  const shutdownHooks: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (let last = shutdownHooks.pop(); last !== undefined; last = shutdownHooks.pop())
      await last();
  };
  try {
    return { ...(await createAdapters(settings, shutdownHooks)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function createAdapters(
  settings: AdapterSettings,
  shutdownHooks: (() => Promise<void>)[],
): Promise<Adapters> {
  const { databaseUrl, directDatabaseUrl, metrics, log } = settings;

  const database = await connectDatabase(settings, { size: settings.databasePoolSize, log });
  shutdownHooks.push(() => database.stop());
  const { prisma, pool } = database.forTenant(systemTenant);
  const embeddingTokens = createEmbeddingTokenCounter({ pool, log });
  shutdownHooks.push(() => embeddingTokens.stop());

  const builtInEmbedding = settings.builtInEmbedding ?? createBuiltInEmbedding();
  if (settings.builtInEmbedding === undefined) shutdownHooks.push(() => builtInEmbedding.stop());
  const models = createModels(settings, builtInEmbedding, pool);

  const extractor = startExtractor();
  shutdownHooks.push(() => extractor.stop());

  const storage = await createDocumentStorage(settings);

  const webhookSender = createHttpWebhookSender({
    allowsPrivateTargets: settings.allowPrivateWebhooks,
  });

  const secretBox = await loadSecretBox(settings);

  const queue = await startQueue({ access: settings, isWorker: settings.isWorker, log });
  shutdownHooks.push(() => queue.stop());

  const connectionString = directDatabaseUrl ?? databaseUrl;
  const corpusStatistics = createCorpusStatisticsCache();
  const events = await startPostgresEvents({
    connectionString,
    log,
    onChange(change) {
      if (change === null) corpusStatistics.markStale(null);
      else if (change.topic === 'documents') corpusStatistics.markStale(change.projectId);
    },
  });
  shutdownHooks.push(() => events.stop());

  const runningAnswers = createRunningAnswerRegistry({ pool, log });
  shutdownHooks.push(() => runningAnswers.stop());

  return {
    database,
    prisma,
    pool,
    queue,
    storage,
    extractor,
    models,
    runningAnswers,
    corpusStatistics,
    embeddingTokens,
    webhookSender,
    secretBox,
    events,
    disk: settings.disk ?? unlimitedDiskSpace,
    metrics,
    log,
  };
}

async function createDocumentStorage({
  supabase,
  dataDir,
  log,
}: AdapterSettings): Promise<Adapters['storage']> {
  if (supabase === null) {
    const filesDirectory = join(dataDir, 'files');
    await createDirectory(filesDirectory);
    await removeStaleTempFiles(filesDirectory);
    return createLocalStorage(filesDirectory);
  }
  await removeStaleTempFiles(null);
  const storage = createSupabaseStorage(supabase);
  // The service starts without storage: answers do not need it, and the health check reports it.
  await storage.check().catch((error) => log.warn({ err: error }, 'document storage unavailable'));
  return storage;
}

function createOpenAiChat(server: OpenAiEndpoint, chat: ChatSettings | undefined): ChatModel {
  if (chat === undefined) return openAiChatModel(server);
  const { temperature, reasoningEffort, maxOutputTokens } = chat;
  return openAiChatModel({
    ...server,
    limits: { answerTimeoutMs: chat.timeoutMs },
    chatOptions: { temperature, reasoningEffort, maxOutputTokens },
    contextLimits: { maxChunks: chat.maxContextChunks, maxTokens: chat.maxContextTokens },
  });
}

/** Creates the models with metrics. A model used inside another model has none of its own: it counts as part of it. */
function createModels(
  { openAi, embedding, chat: chatSettings, rerank, metrics, log }: AdapterSettings,
  builtInEmbedding: EmbeddingModel,
  pool: Pool,
): Adapters['models'] {
  const { comparesSentences, ...overrides } = embedding ?? {
    ...noOverrides,
    comparesSentences: false,
  };
  const createOpenAiEmbedding = (model: EmbeddingSettings): EmbeddingModel | null =>
    openAi && openAiEmbeddingModel({ ...openAi, ...model, comparesSentences });
  const prepareEmbedding = (model: EmbeddingModel) =>
    embeddingModelWithCircuitBreaker(instrumentedEmbeddingModel(model, metrics), { log });
  const findByName = (name: string) => {
    if (name === builtInEmbedding.name) return builtInEmbedding;
    if (name.startsWith('built-in/')) return null;
    return createOpenAiEmbedding(parseStoredModelName(name, overrides));
  };
  const configured =
    openAi?.embeddingModel != null
      ? createOpenAiEmbedding(embeddingSettings(openAi.embeddingModel, overrides))
      : null;
  const chat =
    openAi?.chatModel != null
      ? createOpenAiChat({ ...openAi, model: openAi.chatModel }, chatSettings)
      : builtInChatModel({ embedding: builtInEmbedding });
  return createServingModels({
    configured: {
      embedding: prepareEmbedding(configured ?? builtInEmbedding),
      chat: instrumentedChatModel(chat, metrics),
    },
    reranker:
      rerank &&
      rerankerWithCircuitBreaker(instrumentedReranker(httpReranker(rerank), metrics), { log }),
    findByName: (name) => {
      const model = findByName(name);
      return model && prepareEmbedding(model);
    },
    pool,
    log,
  });
}
