import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { createRunningAnswers } from './chat/running-answers.ts';
import type { Adapters } from './context.ts';
import type { DatabaseAccess } from './database-pool.ts';
import { startPostgresEvents } from './events/postgres-events.ts';
import { startSupabaseEvents } from './events/supabase-events.ts';
import { startQueue } from './jobs/queue.ts';
import { startExtractor } from './knowledge/extract/extract-text.ts';
import type { Metrics } from './metrics.ts';
import { builtInChatModel } from './models/built-in-chat-model.ts';
import { startBuiltInEmbedding } from './models/built-in-embedding-model.ts';
import { httpReranker } from './models/http-reranker.ts';
import {
  measuredChatModel,
  measuredEmbeddingModel,
  measuredReranker,
} from './models/measured-models.ts';
import type { EmbeddingModel } from './models/models.ts';
import { openAiChatModel } from './models/openai-chat-model.ts';
import { openAiEmbeddingModel } from './models/openai-embedding-model.ts';
import { restingReranker } from './models/resting-reranker.ts';
import { servingModels } from './models/serving-models.ts';
import { localStorage } from './storage/local-storage.ts';
import { removeLeftovers } from './storage/remove-leftovers.ts';
import { supabaseStorage } from './storage/supabase-storage.ts';
import type { SupabaseProject } from './supabase-client.ts';
import { systemTenant } from './tenancy/tenant.ts';
import { connectDatabase } from './tenancy/tenant-database.ts';
import { httpWebhookSender } from './webhooks/http-webhook-sender.ts';

export interface AdapterSettings extends DatabaseAccess {
  /** The most connections at once for requests and jobs; the queue and live events have a few of their own. */
  readonly databasePoolSize: number;
  readonly dataDir: string;
  readonly openAi: {
    readonly baseUrl: string;
    readonly apiKey: string | null;
    readonly chatModel: string | null;
    readonly embeddingModel: string | null;
  } | null;
  readonly rerank: {
    readonly baseUrl: string;
    readonly apiKey: string | null;
    readonly model: string;
  } | null;
  /** Keeps the originals in this project's Storage; null keeps them below `dataDir`. */
  readonly supabase: SupabaseProject | null;
  /** By what nodes are told of changes; `realtime` needs `supabase`. */
  readonly events: 'postgres' | 'realtime';
  readonly isWorker: boolean;
  readonly allowPrivateWebhooks: boolean;
  readonly metrics: Metrics;
  readonly log: Logger;
}

export interface RunningAdapters extends Adapters {
  /** Ends everything that `startAdapters` began, in the reverse order. */
  stop(): Promise<void>;
}

/** Connects to everything outside the domain. The database must be migrated already. */
export async function startAdapters(settings: AdapterSettings): Promise<RunningAdapters> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (let last = stops.pop(); last !== undefined; last = stops.pop()) await last();
  };
  try {
    return { ...(await start(settings, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(settings: AdapterSettings, stops: (() => Promise<void>)[]): Promise<Adapters> {
  const { databaseUrl, directDatabaseUrl, metrics, log } = settings;

  const database = await connectDatabase(settings, { size: settings.databasePoolSize, log });
  stops.push(() => database.stop());
  const { prisma, pool } = database.forTenant(systemTenant);

  const builtInEmbedding = await startBuiltInEmbedding();
  stops.push(() => builtInEmbedding.stop());
  const models = chooseModels(settings, builtInEmbedding, pool);

  const extractor = startExtractor();
  stops.push(() => extractor.stop());

  const storage = await chooseStorage(settings);

  const webhookSender = httpWebhookSender({
    allowsPrivateTargets: settings.allowPrivateWebhooks,
  });

  const queue = await startQueue({ access: settings, isWorker: settings.isWorker, log });
  stops.push(() => queue.stop());

  const connectionString = directDatabaseUrl ?? databaseUrl;
  const events =
    settings.events === 'realtime' && settings.supabase !== null
      ? await startSupabaseEvents({ ...settings.supabase, pool, log })
      : await startPostgresEvents({ connectionString, log });
  stops.push(() => events.stop());

  const runningAnswers = createRunningAnswers({ pool, log });
  stops.push(() => runningAnswers.stop());

  return {
    database,
    prisma,
    pool,
    queue,
    storage,
    extractor,
    models,
    runningAnswers,
    webhookSender,
    events,
    metrics,
    log,
  };
}

async function chooseStorage({
  supabase,
  dataDir,
  log,
}: AdapterSettings): Promise<Adapters['storage']> {
  if (supabase === null) {
    const filesDirectory = join(dataDir, 'files');
    await mkdir(filesDirectory, { recursive: true, mode: 0o700 });
    await removeLeftovers(filesDirectory);
    return localStorage(filesDirectory);
  }
  await removeLeftovers(null);
  const storage = supabaseStorage(supabase);
  // The service starts all the same: answers need no storage, and the state of health says what is missing.
  await storage.check().catch((error) => log.warn({ err: error }, 'document storage unavailable'));
  return storage;
}

/** Every model is measured but the one inside of another, which counts as part of it. */
function chooseModels(
  { openAi, rerank, metrics, log }: AdapterSettings,
  builtInEmbedding: EmbeddingModel,
  pool: Pool,
): Adapters['models'] {
  const embeddingNamed = (model: string): EmbeddingModel | null =>
    openAi && openAiEmbeddingModel({ ...openAi, model });
  const findByName = (name: string) => {
    if (name === builtInEmbedding.name) return builtInEmbedding;
    return name.startsWith('built-in/') ? null : embeddingNamed(name);
  };
  const configured = openAi?.embeddingModel != null ? embeddingNamed(openAi.embeddingModel) : null;
  const chat =
    openAi?.chatModel != null
      ? openAiChatModel({ ...openAi, model: openAi.chatModel })
      : builtInChatModel({ embedding: builtInEmbedding });
  return servingModels({
    configured: {
      embedding: measuredEmbeddingModel(configured ?? builtInEmbedding, metrics),
      chat: measuredChatModel(chat, metrics),
    },
    reranker: rerank && restingReranker(measuredReranker(httpReranker(rerank), metrics), { log }),
    findByName: (name) => {
      const model = findByName(name);
      return model && measuredEmbeddingModel(model, metrics);
    },
    pool,
    log,
  });
}
