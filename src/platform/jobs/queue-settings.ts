import type { Queue as QueueSettings } from 'pg-boss';
import type { JobName } from './job-types.ts';

/**
 * Seconds without a heartbeat after which another worker takes over a crashed worker's jobs. pg-boss allows no less.
 */
export const heartbeatSeconds = 10;

const ingestionRetryLimit = 5;

/** Settings of all queues by name. Order matters: a dead letter queue must be created before the queue that uses it. */
export const queues: Record<JobName, Omit<QueueSettings, 'name'>> = {
  'fail-document': { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 600 },
  'ingest-document': {
    retryLimit: ingestionRetryLimit,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 120,
    expireInSeconds: 3600,
    deadLetter: 'fail-document',
  },
  'fail-source-run': { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 600 },
  'sync-source': {
    retryLimit: 10,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 300,
    expireInSeconds: 6 * 3600,
    deadLetter: 'fail-source-run',
  },
  'start-due-sources': { retryLimit: 0, policy: 'singleton' },
  'remove-source': {
    retryLimit: 20,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 3600,
    expireInSeconds: 6 * 3600,
  },
  'remove-file': { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 3600 },
  'remove-documents': { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 3600 },
  'remove-orphan-files': { retryLimit: 0, policy: 'singleton', expireInSeconds: 3600 },
  'close-stale-answers': { retryLimit: 0, policy: 'singleton' },
  'remove-answer-events': { retryLimit: 0, policy: 'singleton' },
  'remove-retired-vectors': {
    retryLimit: 20,
    retryDelay: 5,
    retryBackoff: true,
    expireInSeconds: 6 * 3600,
  },
  'build-vector-indexes': { retryLimit: 0, policy: 'singleton', expireInSeconds: 12 * 3600 },
  'remove-expired-idempotency-keys': { retryLimit: 0, policy: 'singleton' },
  'remove-old-inbox-events': { retryLimit: 0, policy: 'singleton' },
  'remove-old-webhook-events': { retryLimit: 0, policy: 'singleton' },
  'remove-old-audit-entries': { retryLimit: 0, policy: 'singleton' },
  'remove-unused-emails': { retryLimit: 0, policy: 'singleton' },
  'remove-old-document-changes': { retryLimit: 0, policy: 'singleton' },
  'fail-delivery': { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 600 },
  'deliver-webhook': {
    retryLimit: 20,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 600,
    deadLetter: 'fail-delivery',
  },
};

export const jobNames = Object.keys(queues) as JobName[];

/** Cron expressions (UTC) of jobs that a worker enqueues periodically. */
export const schedules: Partial<Record<JobName, string>> = {
  'close-stale-answers': '* * * * *',
  'start-due-sources': '* * * * *',
  'remove-answer-events': '*/5 * * * *',
  'remove-expired-idempotency-keys': '17 * * * *',
  'remove-old-inbox-events': '27 * * * *',
  'remove-old-webhook-events': '37 * * * *',
  'remove-old-audit-entries': '47 * * * *',
  'remove-unused-emails': '53 * * * *',
  'remove-old-document-changes': '7 * * * *',
  'build-vector-indexes': '*/30 * * * *',
  'remove-orphan-files': '43 3 * * *',
};
