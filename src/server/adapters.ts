import { join } from 'node:path';
import { type AnswerStartLimits, createAnswerStarts } from '../domain/chat/runs/answer-starts.ts';
import { createRunningAnswerRegistry } from '../domain/chat/runs/create-running-answers.ts';
import type { Adapters } from '../domain/context.ts';
import { createCorpusStatisticsCache } from '../domain/knowledge/retrieval/corpus-statistics-cache.ts';
import { createProjectIndexCache } from '../domain/knowledge/retrieval/project-index/project-index-cache.ts';
import { createTokenCounter } from '../domain/usage/create-token-counter.ts';
import { listUsedSecretKeys } from '../domain/webhooks/encrypt-webhook-secrets.ts';
import { type Extractor, startExtractor } from '../extract/process/extractor-pool.ts';
import {
  type BuiltInEmbedding,
  createBuiltInEmbedding,
} from '../models/embedding/built-in-embedding-model.ts';
import { createDirectory } from '../platform/create-directory.ts';
import { type DiskSpace, unlimitedDiskSpace } from '../platform/disk-space.ts';
import { startPostgresEvents } from '../platform/events/postgres-events.ts';
import { startQueue } from '../platform/jobs/queue.ts';
import { createSmtpMailer, type MailSettings } from '../platform/mail/smtp-mailer.ts';
import { type DatabaseSettings, queuePoolSize } from '../platform/postgres/database-pool.ts';
import type { ReplicaSetSettings } from '../platform/replicas/replica-set.ts';
import { createLocalStorage } from '../platform/storage/local-storage.ts';
import { removeStaleTempFiles } from '../platform/storage/remove-stale-temp-files.ts';
import type { SupabaseProject } from '../platform/supabase-client.ts';
import { systemTenant } from '../platform/tenancy/tenant.ts';
import { connectDatabase } from '../platform/tenancy/tenant-database.ts';
import { createHostPace } from '../platform/web/host-pace.ts';
import { createWebClient } from '../platform/web/http-web-client.ts';
import { createHttpWebhookSender } from '../platform/webhooks/http-webhook-sender.ts';
import { createModels, type ModelSettings } from './create-models.ts';
import { jobs } from './jobs.ts';
import { loadSecretBox } from './secret-keys.ts';

export interface AdapterSettings extends DatabaseSettings, ModelSettings {
  /** Maximum number of connections for requests and jobs. The job queue and live events use a few more. */
  readonly databasePoolSize: number;
  readonly dataDir: string;
  /** Disk of the database. Null if the database is on another machine. */
  readonly disk?: DiskSpace | null;
  /** Keys of `SECRETS_KEY`. Undefined or empty: uses the key that is stored in `dataDir`. */
  readonly secretsKeys?: readonly string[];
  /** Creates a new key in `dataDir` even if a lost key encrypts stored secrets. Default: false. */
  readonly replacesLostKey?: boolean;
  /** The Supabase project whose Storage keeps uploaded files. Null keeps them below `dataDir`. */
  readonly supabase: SupabaseProject | null;
  readonly isWorker: boolean;
  readonly allowPrivateWebhooks: boolean;
  readonly allowPrivateSources: boolean;
  readonly notionUrl: string;
  /** Unset: the default number of days. */
  readonly auditRetentionDays?: number;
  /** Share of the answers whose trace is stored, 0 to 1. Unset: all. */
  readonly answerTraceShare?: number;
  /** Null or unset: the service sends no e-mails. */
  readonly mail?: MailSettings | null;
  readonly publicUrl?: string | null;
  /**
   * A loaded model. The caller owns it and must stop it. If unset, the adapters create a model and stop it themselves.
   */
  readonly builtInEmbedding?: BuiltInEmbedding;
  /** Extractor that the caller owns and must stop. If unset, the adapters start an extractor and stop it themselves. */
  readonly extractor?: Extractor;
  /** Memory for search indexes in megabytes. Unset: the default. 0: searches use the database only. */
  readonly searchIndexMegabytes?: number;
  /** Streaming replicas for reads. Unset: none. */
  readonly databaseReplicas?: ReplicaSetSettings['replicas'];
  /** Reads do not use a replica whose lag is longer than this. Unset: the default. */
  readonly replicaMaxLagMs?: number;
  /** Unset: the default limits. */
  readonly answerStarts?: AnswerStartLimits;
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

  const database = await connectDatabase(settings, {
    size: settings.databasePoolSize,
    log,
    replicas: replicaSettings(settings),
  });
  shutdownHooks.push(() => database.stop());
  const { prisma, pool } = database.forTenant(systemTenant);
  const tokenCounter = createTokenCounter({ database, log });
  shutdownHooks.push(() => tokenCounter.stop());

  const builtInEmbedding = settings.builtInEmbedding ?? createBuiltInEmbedding();
  if (settings.builtInEmbedding === undefined) shutdownHooks.push(() => builtInEmbedding.stop());
  const models = await createModels(settings, builtInEmbedding, pool);

  const extractor = settings.extractor ?? startExtractor();
  if (settings.extractor === undefined) shutdownHooks.push(() => extractor.stop());

  const storage = await createDocumentStorage(settings);

  const webhookSender = createHttpWebhookSender({
    allowsPrivateTargets: settings.allowPrivateWebhooks,
  });

  const secretBox = await loadSecretBox(settings, () => listUsedSecretKeys(pool));

  const queue = await startQueue({
    jobs,
    access: settings,
    isWorker: settings.isWorker,
    poolSize: queuePoolSize(settings.databasePoolSize),
    log,
  });
  shutdownHooks.push(() => queue.stop());

  const { replicas } = database;
  const projectIndexes = createProjectIndexCache({
    pool,
    bulkPool: replicas && (() => replicas.readsFor(systemTenant).pool),
    position: replicas?.position ?? null,
    maxBytes: (settings.searchIndexMegabytes ?? defaultIndexMegabytes) * 2 ** 20,
    metrics,
    log,
  });
  shutdownHooks.push(() => projectIndexes.stop());

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
    answerStarts: createAnswerStarts(metrics, settings.answerStarts),
    corpusStatistics,
    projectIndexes,
    tokenCounter,
    webhookSender,
    webClient: createWebClient({ allowsPrivateTargets: settings.allowPrivateSources }),
    mailer: settings.mail ? createSmtpMailer(settings.mail) : null,
    publicUrl: settings.publicUrl ?? null,
    notionUrl: settings.notionUrl,
    auditRetentionDays: settings.auditRetentionDays ?? defaultAuditRetentionDays,
    answerTraceShare: settings.answerTraceShare ?? 1,
    hostPace: createHostPace(),
    secretBox,
    events,
    disk: settings.disk ?? unlimitedDiskSpace,
    metrics,
    log,
  };
}

function replicaSettings({
  databaseReplicas: replicas = [],
  replicaMaxLagMs,
  metrics,
}: AdapterSettings) {
  return replicas.length === 0 ? null : { replicas, maxLagMs: replicaMaxLagMs ?? 1_000, metrics };
}

const defaultIndexMegabytes = 256;
const defaultAuditRetentionDays = 400;

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
  const { createSupabaseStorage } = await import('../platform/storage/supabase-storage.ts');
  const storage = createSupabaseStorage(supabase);
  // The service also starts without storage: answers do not need it, and the health check reports the failure.
  await storage.check().catch((error) => log.warn({ err: error }, 'document storage unavailable'));
  return storage;
}
