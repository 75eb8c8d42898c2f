import type { Client, Pool } from 'pg';
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
import type { WebhookSender } from './webhooks/webhook-sender.ts';

/** Everything outside the domain that a verb may need. Made once at start by `adapters.ts`. */
export interface Adapters {
  readonly prisma: PrismaClient;
  /** The same database without Prisma, for the few statements of the hot path. */
  readonly pool: Pool;
  /**
   * A connection with a session of its own, on which statements may take any time; who asked for it ends it. For what
   * needs settings or locks of a session, which a pooler would not keep.
   */
  openSession(): Promise<Client>;
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

/** The context of one request. */
export function createContext(
  adapters: Adapters,
  caller: Caller,
  { signal, requestId }: RequestOrigin,
): Context {
  const log = requestId === null ? adapters.log : adapters.log.child({ requestId });
  const queue = adapters.queue.forRequest(requestId);
  return { ...adapters, db: adapters.prisma, caller, signal, log, queue };
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
