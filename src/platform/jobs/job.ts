import type { Queue as QueueSettings } from 'pg-boss';
import { z } from 'zod';

/** Definition of a background job for its queue and for the code that enqueues it. */
export interface JobType<Payload extends object = object> {
  /** Name of the job and of its queue. */
  readonly name: string;
  /** Contains ids; the worker reads the current rows when it runs the job. */
  readonly payload: z.ZodType<Payload>;
  /**
   * Version of the payload, by default 1. Raise it with a payload that earlier workers would misread: they leave such a
   * job to the workers of the new version. Jobs of an earlier version must remain readable.
   */
  readonly version?: number;
  /** Retries and times of the queue. */
  readonly queue: Omit<QueueSettings, 'name' | 'deadLetter'>;
  /** The job that receives the payload when all attempts have failed. */
  readonly deadLetter?: JobType<Payload>;
  /** Cron expression (UTC) by which a worker enqueues the job, with an empty payload. */
  readonly schedule?: string;
  /** Maximum number of jobs of this type that run at the same time in this process. */
  readonly concurrency: number;
  /** Maximum number of jobs per group that run at the same time in all processes together. Unlimited by default. */
  readonly groupConcurrency?: number;
}

/** A job with its work, which needs `Services`. */
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

/** Defines a job with its work. */
export function defineJob<Services, Payload extends object>({
  run,
  ...type
}: JobType<Payload> & { readonly run: Run<Services, Payload> }): JobType<Payload> & Job<Services> {
  return implementJob(type, run);
}

/** Defines a job whose work is in another file, because the work itself enqueues the job. */
export function defineJobType<Payload extends object>(type: JobType<Payload>): JobType<Payload> {
  return type;
}

/** Adds the work to a job type. A stored payload is parsed before each attempt. */
export function implementJob<Services, Payload extends object>(
  type: JobType<Payload>,
  run: Run<Services, Payload>,
): JobType<Payload> & Job<Services> {
  return {
    ...type,
    run: async (services, data, attempt) => run(services, parsePayload(type, data), attempt),
  };
}

/** Returns what is stored for a payload. Version 1 is not stored. */
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

/** Settings of a queue whose jobs come from a schedule: the next one follows, so a failed one is not retried. */
export const scheduledQueue = { retryLimit: 0, policy: 'singleton' } as const;

/** Settings of a dead letter queue: it only has to reach the database. */
export const deadLetterQueue = {
  retryLimit: 20,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 600,
} as const;

/** The payload of jobs that need none. */
export const noPayload = z.object({});
