/** Job names and their payloads. A payload contains ids; the worker reads the current rows when it runs the job. */
export interface JobPayloads {
  'ingest-document': { readonly projectId: string; readonly documentId: string };
  'fail-document': { readonly projectId: string; readonly documentId: string };
  'sync-source': SourceRunPayload;
  'fail-source-run': SourceRunPayload;
  'start-due-sources': Record<string, never>;
  'remove-source': { readonly projectId: string; readonly sourceId: string };
  'remove-file': { readonly key: string };
  'remove-documents': { readonly projectId: string };
  'remove-orphan-files': Record<string, never>;
  'close-stale-answers': Record<string, never>;
  'remove-answer-events': Record<string, never>;
  'remove-retired-vectors': Record<string, never>;
  'build-vector-indexes': Record<string, never>;
  'remove-expired-idempotency-keys': Record<string, never>;
  'remove-old-inbox-events': Record<string, never>;
  'remove-old-webhook-events': Record<string, never>;
  'remove-old-audit-entries': Record<string, never>;
  'remove-unused-emails': Record<string, never>;
  'remove-old-document-changes': Record<string, never>;
  'deliver-webhook': DeliveryPayload;
  'fail-delivery': DeliveryPayload;
}

interface SourceRunPayload {
  readonly projectId: string;
  readonly sourceId: string;
  readonly runId: string;
}

interface DeliveryPayload {
  readonly deliveryId: string;
  readonly projectId: string;
  readonly attempt: number;
}

export type JobName = keyof JobPayloads;

/** Handlers by job name. Jobs without a handler stay in their queue. */
export type JobHandlers = { readonly [N in JobName]?: JobHandler<N> };

export interface JobHandler<N extends JobName> {
  /** Maximum number of jobs of this type that run at the same time in this process. */
  readonly concurrency: number;
  /** Maximum number of jobs per group that run at the same time in all processes together. Unlimited by default. */
  readonly groupConcurrency?: number;
  /** Runs at least once per job, so it must be idempotent. If it throws, the job is retried later. */
  run(payload: JobPayloads[N], attempt: JobAttempt): Promise<void>;
}

export interface JobAttempt {
  /** Aborts when the job's lease is lost or the worker stops. */
  readonly signal: AbortSignal;
  /** Whether this is the last attempt: if it fails, the job is not retried. */
  readonly isLast: boolean;
  /** Id of the HTTP request that enqueued the job, for log lines. Null for scheduled jobs. */
  readonly requestId: string | null;
}
