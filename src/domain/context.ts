import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Caller } from './caller.ts';
import type { RunningAnswers } from './chat/running-answers.ts';
import { DomainError } from './errors.ts';
import type { Events } from './events/events.ts';
import type { Prisma, PrismaClient } from './generated/prisma/client.ts';
import type { Queue } from './jobs/queue.ts';
import type { Extractor } from './knowledge/extract/extract-text.ts';
import type { Metrics } from './metrics.ts';
import type { ServingModels } from './models/serving-models.ts';
import type { DocumentStorage } from './storage/storage.ts';
import { tenantOf } from './tenancy/tenant.ts';
import type { Database } from './tenancy/tenant-database.ts';
import type { WebhookSender } from './webhooks/webhook-sender.ts';

/** Everything outside the domain that a verb may need. Made once at start by `adapters.ts`. */
export interface Adapters {
  readonly database: Database;
  /** The database as its caller sees it: all of it outside of a request, the caller's own rows within. */
  readonly prisma: PrismaClient;
  /** The same without Prisma, for the few statements of the hot path. */
  readonly pool: Pool;
  readonly queue: Queue;
  readonly storage: DocumentStorage;
  readonly extractor: Extractor;
  readonly models: ServingModels;
  readonly runningAnswers: RunningAnswers;
  readonly webhookSender: WebhookSender;
  readonly events: Events;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** What travels through every verb: who asks, with what, and until when. */
export interface Context extends Adapters {
  readonly caller: Caller;
  /** The database, or the transaction the verb runs in. */
  readonly db: Prisma.TransactionClient;
  /** Aborts when the caller goes away, or with a `DomainError` when the service ends the work itself. */
  readonly signal: AbortSignal;
  /** Speaks with the request's id. */
  readonly log: Logger;
}

/** The context of one request, which sees the rows of its caller's tenant alone, whatever a verb asks for. */
export function createContext(
  adapters: Adapters,
  caller: Caller,
  { signal, requestId }: RequestOrigin,
): Context {
  const log = requestId === null ? adapters.log : adapters.log.child({ requestId });
  const queue = adapters.queue.forRequest(requestId);
  const { prisma, pool } = adapters.database.forTenant(tenantOf(caller));
  return { ...adapters, prisma, pool, db: prisma, caller, signal, log, queue };
}

export interface RequestOrigin {
  readonly signal: AbortSignal;
  /** Stands in every log line, those of the jobs that are ordered included; null for work of our own accord. */
  readonly requestId: string | null;
}

/** Why the service itself has ended the work, to be told to a caller who is still there; null in any other case. */
export function endedFor({ reason }: AbortSignal): DomainError | null {
  return reason instanceof DomainError ? reason : null;
}

/** The context of a job, ordered by the request that is named: the service itself acts. */
export function systemContext(
  adapters: Adapters,
  signal: AbortSignal,
  requestId: string | null = null,
): Context {
  return createContext(adapters, { type: 'service' }, { signal, requestId });
}

/**
 * Runs `work` in one transaction. Its context shadows the outer one, so nothing inside can write outside it.
 * A transaction that takes longer than `timeoutMs` is rolled back.
 */
export function transaction<T>(
  context: Context,
  work: (context: Context) => Promise<T>,
  { timeoutMs = 30_000 }: { readonly timeoutMs?: number } = {},
): Promise<T> {
  return context.prisma.$transaction((db) => work({ ...context, db }), {
    maxWait: 30_000,
    timeout: timeoutMs,
  });
}
