import type { Queue as QueueSettings } from 'pg-boss';
import { z } from 'zod';

/** Definition of a background job for its queue and for the code that enqueues it. */
export interface JobType<Payload extends object = object> {
  /** Name of the job and of its queue. */
  readonly name: string;
  /** Schema of the payload, which contains ids. The worker reads the current rows when it runs the job. */
  readonly payload: z.ZodType<Payload>;
  /**
   * Version of the payload. Default 1. Increase it when earlier workers would misread a new payload: they then leave
   * the job to workers of the new version. New workers must still be able to read jobs of earlier versions.
   */
  readonly version?: number;
  /** Settings of the queue, such as the number of retries and the delays between them. */
  readonly queue: Omit<QueueSettings, 'name' | 'deadLetter'>;
  /** The job that receives the payload when all attempts have failed. */
  readonly deadLetter?: JobType<Payload>;
  /** Cron expression in UTC. At these times, a worker enqueues the job with an empty payload. */
  readonly schedule?: string;
  /** Maximum number of jobs of this type that run at the same time in this process. */
  readonly concurrency: number;
  /** Maximum number of jobs of one group that run at the same time, in all processes together. Unlimited by default. */
  readonly groupConcurrency?: number;
}

/** A job type together with the function that runs it. `Services` is what the function needs. */
export interface Job<Services> extends JobType {
  /** Runs at least once per job, so it must be idempotent. If it throws, the job is retried later. */
  run(services: Services, data: unknown, attempt: JobAttempt): Promise<void>;
}

export interface JobAttempt {
  /** Aborts when the job's lease is lost or the worker stops. */
  readonly signal: AbortSignal;
  /** Whether this is the last attempt: if it fails, the job is not retried. */
  readonly isLast: boolean;
  /** Id of the HTTP request that enqueued the job, for log lines. Null for scheduled jobs. */
  readonly requestId: string | null;
}

type Run<Services, Payload> = (
  services: Services,
  payload: Payload,
  attempt: JobAttempt,
) => Promise<void>;

/** Defines a job type together with the function that runs it. */
export function defineJob<Services, Payload extends object>({
  run,
  ...type
}: JobType<Payload> & { readonly run: Run<Services, Payload> }): JobType<Payload> & Job<Services> {
  return implementJob(type, run);
}

/** Defines a job type whose function is in another file, because that function itself enqueues the job. */
export function defineJobType<Payload extends object>(type: JobType<Payload>): JobType<Payload> {
  return type;
}

/** Adds the function to a job type. The stored payload is parsed before each attempt. */
export function implementJob<Services, Payload extends object>(
  type: JobType<Payload>,
  run: Run<Services, Payload>,
): JobType<Payload> & Job<Services> {
  return {
    ...type,
    run: async (services, data, attempt) => run(services, parsePayload(type, data), attempt),
  };
}

/** Returns the payload in the form in which it is stored. Version 1 is left out. */
export function storedPayload<Payload extends object>(
  { version = 1 }: JobType<Payload>,
  payload: Payload,
): object {
  return version === 1 ? payload : { ...payload, version };
}

function parsePayload<Payload extends object>(type: JobType<Payload>, data: unknown): Payload {
  const { name, version = 1, payload } = type;
  const stored = versionOf(data);
  if (stored > version) {
    throw new Error(`The job ${name} has version ${stored}, this worker knows ${version}`);
  }
  const parsed = payload.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new Error(`The payload of the job ${name} is not valid`, { cause: parsed.error });
}

function versionOf(data: unknown): number {
  const version = typeof data === 'object' && data !== null && Reflect.get(data, 'version');
  return typeof version === 'number' ? version : 1;
}

/**
 * Settings of a queue whose jobs come from a schedule. A failed job is not retried, because the next scheduled job
 * follows.
 */
export const scheduledQueue = { retryLimit: 0, policy: 'singleton' } as const;

/** Settings of a dead letter queue. Its jobs only need the database, so they are retried many times. */
export const deadLetterQueue = {
  retryLimit: 20,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 600,
} as const;

/** The payload of job types that need no payload. */
export const noPayload = z.object({});
