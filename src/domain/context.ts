import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Caller } from './caller.ts';
import { DomainError } from './errors.ts';
import type { Prisma, PrismaClient } from './generated/prisma/client.ts';
import type { Queue } from './jobs/queue.ts';
import type { Extractor } from './knowledge/extract/extract-text.ts';
import type { ServingModels } from './models/serving-models.ts';
import type { DocumentStorage } from './storage/storage.ts';

/** Everything outside the domain that a verb may need. Made once at start by `adapters.ts`. */
export interface Adapters {
  readonly prisma: PrismaClient;
  /** The same database without Prisma, for the few statements of the hot path. */
  readonly pool: Pool;
  readonly queue: Queue;
  readonly storage: DocumentStorage;
  readonly extractor: Extractor;
  readonly models: ServingModels;
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
  request: { readonly signal: AbortSignal; readonly log: Logger },
): Context {
  return { ...adapters, db: adapters.prisma, caller, ...request };
}

/** Why the service itself has ended the work, to be told to a caller who is still there; null in any other case. */
export function endedFor({ reason }: AbortSignal): DomainError | null {
  return reason instanceof DomainError ? reason : null;
}

/** The context of a job: the service itself acts. */
export function systemContext(adapters: Adapters, signal: AbortSignal): Context {
  return createContext(adapters, { type: 'service' }, { signal, log: adapters.log });
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
