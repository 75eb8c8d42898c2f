import { removeOldAuditEntries } from '../domain/audit/remove-old-audit-entries.ts';
import { failOrphanedAnswers } from '../domain/chat/finalize-turn.ts';
import { removeOldAnswerEvents } from '../domain/chat/runs/answer-events.ts';
import type { Adapters } from '../domain/context.ts';
import { removeOldInboxEvents } from '../domain/handoff/remove-old-inbox-events.ts';
import { removeExpiredIdempotencyKeys } from '../domain/idempotency/expired-idempotency-keys.ts';
import { buildVectorIndexes } from '../domain/knowledge/ingestion/build-vector-indexes.ts';
import { failDocument, ingestDocument } from '../domain/knowledge/ingestion/ingest-document.ts';
import { removeRetiredVectors } from '../domain/knowledge/ingestion/remove-retired-vectors.ts';
import { removeDeletedDocuments } from '../domain/knowledge/remove-documents.ts';
import { removeOldDocumentChanges } from '../domain/knowledge/remove-old-document-changes.ts';
import { removeOrphanFiles } from '../domain/knowledge/remove-orphan-files.ts';
import { removeUnusedEmails } from '../domain/sign-in/remove-unused-emails.ts';
import { removeSource } from '../domain/sources/remove-source.ts';
import { startDueSources } from '../domain/sources/start-source-run.ts';
import { failSourceRun, runSourceSync } from '../domain/sources/sync-source-job.ts';
import { deliverWebhook, failDelivery } from '../domain/webhooks/deliver-webhook.ts';
import { removeOldWebhookEvents } from '../domain/webhooks/remove-old-webhook-events.ts';
import type { JobAttempt, JobHandlers, JobPayloads } from '../platform/jobs/job-types.ts';
import type { IngestionOutcome } from '../platform/metrics.ts';

/** Returns the handler of every background job. */
export function createJobHandlers(
  adapters: Adapters,
  { auditRetentionDays = 400 }: { readonly auditRetentionDays?: number } = {},
): JobHandlers {
  return {
    // Limited per organization, so that documents of another organization can always run. Many, because most wait for
    // an embedding server; processes, large documents and writers have limits of their own.
    'ingest-document': {
      concurrency: 10,
      groupConcurrency: 7,
      run: (payload, attempt) => ingestWithMetrics(adapters, payload, attempt),
    },
    'fail-document': {
      concurrency: 1,
      run: (payload, attempt) => failDocument(adapters, payload, attempt),
    },
    'remove-retired-vectors': {
      concurrency: 1,
      run: (_payload, { signal }) =>
        removeRetiredVectors({ ...adapters, pool: adapters.database.ownerPool, signal }),
    },
    'build-vector-indexes': {
      concurrency: 1,
      run: async (_payload, { signal }) => {
        await buildVectorIndexes({ ...adapters, pool: adapters.database.ownerPool, signal });
      },
    },
    // Most wait for websites.
    'sync-source': {
      concurrency: 12,
      groupConcurrency: 4,
      run: (payload, attempt) => runSourceSync(adapters, payload, attempt),
    },
    'fail-source-run': {
      concurrency: 1,
      run: (payload, attempt) => failSourceRun(adapters, payload, attempt),
    },
    'start-due-sources': {
      concurrency: 1,
      run: (_payload, { signal }) => startDueSources(adapters, signal),
    },
    'remove-source': {
      concurrency: 2,
      run: (payload, { signal }) => removeSource(adapters, payload, signal),
    },
    'remove-file': {
      concurrency: 1,
      run: ({ key }, { signal }) => adapters.storage.remove([key], signal),
    },
    'remove-documents': {
      concurrency: 1,
      run: ({ projectId }, { signal }) => removeDeletedDocuments(adapters, projectId, signal),
    },
    'remove-orphan-files': {
      concurrency: 1,
      run: (_payload, { signal }) => removeOrphanFiles(adapters, signal),
    },
    'remove-expired-idempotency-keys': {
      concurrency: 1,
      run: (_payload, { signal }) => removeExpiredIdempotencyKeys(adapters, signal),
    },
    // A group is a lane of an organization. Its eight lanes hold half of the workers at most, so that receivers that do
    // not respond cannot block the webhooks of another organization.
    'deliver-webhook': {
      concurrency: 32,
      groupConcurrency: 2,
      run: (payload, attempt) => deliverWebhook(adapters, payload, attempt),
    },
    'fail-delivery': {
      concurrency: 1,
      run: (payload, attempt) => failDelivery(adapters, payload, attempt),
    },
    'remove-old-inbox-events': {
      concurrency: 1,
      run: (_payload, { signal }) => removeOldInboxEvents(adapters, signal),
    },
    'remove-old-webhook-events': {
      concurrency: 1,
      run: (_payload, { signal }) => removeOldWebhookEvents(adapters, signal),
    },
    'remove-old-audit-entries': {
      concurrency: 1,
      run: (_payload, { signal }) => removeOldAuditEntries(adapters, auditRetentionDays, signal),
    },
    'remove-unused-emails': {
      concurrency: 1,
      run: (_payload, { signal }) => removeUnusedEmails(adapters, signal),
    },
    'remove-old-document-changes': {
      concurrency: 1,
      run: (_payload, { signal }) => removeOldDocumentChanges(adapters, signal),
    },
    'close-stale-answers': { concurrency: 1, run: () => failOrphanedAnswers(adapters) },
    'remove-answer-events': {
      concurrency: 1,
      run: (_payload, { signal }) => removeOldAnswerEvents(adapters, signal),
    },
  };
}

async function ingestWithMetrics(
  adapters: Adapters,
  payload: JobPayloads['ingest-document'],
  attempt: JobAttempt,
): Promise<void> {
  const startedAt = performance.now();
  const recordOutcome = (outcome: IngestionOutcome) =>
    adapters.metrics.recordIngestion(outcome, (performance.now() - startedAt) / 1_000);
  try {
    const outcome = await ingestDocument(adapters, payload, attempt);
    if (outcome !== null) recordOutcome(outcome === 'WAITING' ? 'RETRIED' : outcome);
  } catch (error) {
    recordOutcome('RETRIED');
    throw error;
  }
}
