import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Extractor } from '../extract/process/extractor-pool.ts';
import type { ServingModels } from '../models/serving-models.ts';
import type { DiskSpace } from '../platform/disk-space.ts';
import type { EventBus } from '../platform/events/events.ts';
import type { Queue } from '../platform/jobs/queue.ts';
import type { Mailer } from '../platform/mail/mailer.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Prisma, PrismaClient } from '../platform/postgres/generated/prisma/client.ts';
import type { ConversationChannel } from '../platform/postgres/generated/prisma/enums.ts';
import { readsFromReplica } from '../platform/replicas/replica-reads.ts';
import type { SecretBox } from '../platform/secrets/secret-box.ts';
import type { DocumentStorage } from '../platform/storage/document-storage.ts';
import type { Database } from '../platform/tenancy/tenant-database.ts';
import type { HostPace } from '../platform/web/host-pace.ts';
import type { WebClient } from '../platform/web/web-client.ts';
import type { WebhookSender } from '../platform/webhooks/webhook-sender.ts';
import type { Caller } from './caller.ts';
import { tenantOf } from './caller-tenant.ts';
import type { AnswerStarts } from './chat/runs/answer-starts.ts';
import type { RunningAnswers } from './chat/runs/running-answers.ts';
import type { AnswerTraceRecorder } from './chat/traces/answer-trace-recorder.ts';
import type { ClaimedKey } from './idempotency/claimed-key.ts';
import type { CorpusStatisticsCache } from './knowledge/retrieval/corpus-statistics-cache.ts';
import type { ProjectIndexCache } from './knowledge/retrieval/project-index/project-index-cache.ts';
import type { TokenCounter } from './usage/token-counter.ts';

/**
 * Everything outside the domain that a verb (a domain operation) may use, such as database, queue and models.
 * `adapters.ts` creates the adapters at startup.
 */
export interface Adapters {
  readonly database: Database;
  /** The Prisma client. In a request context it is restricted to the caller's tenant. */
  readonly prisma: PrismaClient;
  /** A pg pool with the same tenant restriction, for the most frequent statements. */
  readonly pool: Pool;
  readonly queue: Queue;
  readonly storage: DocumentStorage;
  readonly extractor: Extractor;
  readonly models: ServingModels;
  readonly runningAnswers: RunningAnswers;
  readonly answerStarts: AnswerStarts;
  readonly corpusStatistics: CorpusStatisticsCache;
  readonly projectIndexes: ProjectIndexCache;
  readonly tokenCounter: TokenCounter;
  readonly webhookSender: WebhookSender;
  readonly webClient: WebClient;
  /** Sends e-mail. Null if the service has no mail server. */
  readonly mailer: Mailer | null;
  /** Origin (scheme, host and port) at which clients reach the service. Null if it is not configured. */
  readonly publicUrl: string | null;
  /** Address of Notion's API, without a path. */
  readonly notionUrl: string;
  /** Number of days for which audit entries are kept. */
  readonly auditRetentionDays: number;
  /** Share of the answers whose trace is stored, 0 to 1. */
  readonly answerTraceShare: number;
  /** Limits how often websites are requested, separately for each host. */
  readonly hostPace: HostPace;
  readonly secretBox: SecretBox;
  readonly events: EventBus;
  /** Checks that there is free disk space for the embedded database and for files. */
  readonly disk: DiskSpace;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** The first parameter of every verb: the caller, the adapters and the abort signal. */
export interface Context extends Adapters {
  readonly caller: Caller;
  /** The Prisma client, or the transaction that the verb runs in. */
  readonly db: Prisma.TransactionClient;
  /**
   * Aborts when the caller disconnects. Also aborts when the service cancels the work; then the reason is a
   * `DomainError`.
   */
  readonly signal: AbortSignal;
  /** When the request arrived, on the clock of `performance.now()`. Waiting times are measured from here. */
  readonly receivedAt: number;
  /** The client that sent the request, for the audit log. */
  readonly origin: RequestOrigin;
  /**
   * The interface through which the request came. Stored with conversations that the request starts. Null if unknown.
   */
  readonly channel: ConversationChannel | null;
  /** Null if no request started the work. */
  readonly requestId: string | null;
  /** The `Idempotency-Key` of the request. Null if it has none. */
  readonly claimedKey: ClaimedKey | null;
  /** Records how the answer comes about. Null unless the context belongs to an answer whose trace is stored. */
  readonly answerTrace: AnswerTraceRecorder | null;
  /** Logger that adds the request id to every line. */
  readonly log: Logger;
}

/** Creates the context of one request. All queries see only the rows of the caller's tenant. */
export function createContext(
  adapters: Adapters,
  caller: Caller,
  {
    signal,
    requestId,
    origin = unknownOrigin,
    channel = null,
    receivedAt = performance.now(),
  }: RequestScope,
): Context {
  const log = requestId === null ? adapters.log : adapters.log.child({ requestId });
  const queue = adapters.queue.forRequest(requestId);
  const { prisma, pool } = adapters.database.forTenant(tenantOf(caller));
  const request = {
    signal,
    requestId,
    origin,
    channel,
    receivedAt,
    claimedKey: null,
    answerTrace: null,
  };
  return { ...adapters, prisma, pool, db: prisma, caller, ...request, log, queue };
}

/**
 * Returns a context for reads that start now. Use it only if no write follows. A replica may answer the reads: it
 * contains everything that was committed before the first of them. In a transaction, or without replicas, returns the
 * same context. GraphQL queries run in such a context. Elsewhere, call it directly where the reads are, so that the
 * result is not used for reads after a later write.
 */
export function fromReplica<
  T extends Pick<Context, 'caller' | 'database' | 'prisma' | 'pool' | 'db'>,
>(context: T): T {
  const { database, caller, db, prisma } = context;
  if (database.replicas === null || db !== prisma || readsFromReplica(context.pool)) return context;
  const reads = database.replicas.readsFor(tenantOf(caller));
  return { ...context, ...reads, db: reads.prisma };
}

/**
 * Returns the pool of the primary, for a write outside a transaction. `context.pool` may read from a replica, and a
 * replica refuses writes. A function that writes calls this itself, so that its callers need not know.
 */
export function primaryPool({ database, caller }: Pick<Context, 'database' | 'caller'>): Pool {
  return database.forTenant(tenantOf(caller)).pool;
}

export interface RequestScope {
  readonly signal: AbortSignal;
  /** Added to every log line, also in jobs that the request enqueues. Null if no request started the work. */
  readonly requestId: string | null;
  readonly origin?: RequestOrigin;
  /** Default: null. */
  readonly channel?: ConversationChannel | null;
  /** Default: now. */
  readonly receivedAt?: number;
}

/** Client from which a request came. */
export interface RequestOrigin {
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly isCommandLine?: boolean;
}

const unknownOrigin: RequestOrigin = { ipAddress: null, userAgent: null };

/**
 * Creates the context of a job. The caller is the service itself, which can access all tenants. `requestId` is the id
 * of the request that enqueued the job.
 */
export function createSystemContext(
  adapters: Adapters,
  signal: AbortSignal,
  requestId: string | null = null,
): Context {
  return createContext(adapters, { type: 'service' }, { signal, requestId });
}

/**
 * Runs `work` in one transaction, which is rolled back after `timeoutMs`. In `work`, use only the context that `work`
 * receives. The outer context would write outside the transaction.
 *
 * @throws DomainError UNAVAILABLE when the disk is full, unless the service itself writes or `isRemoval` is set.
 */
export async function transaction<T>(
  context: Context,
  work: (context: Context) => Promise<T>,
  {
    timeoutMs = 30_000,
    isRemoval = false,
  }: { readonly timeoutMs?: number; readonly isRemoval?: boolean } = {},
): Promise<T> {
  if (!isRemoval && context.caller.type !== 'service') context.disk.requireSpace();
  return context.prisma.$transaction((db) => work({ ...context, db }), {
    maxWait: 30_000,
    timeout: timeoutMs,
  });
}
