import { removeOldEvents } from '../chat/answer-events.ts';
import { closeStaleAnswers } from '../chat/close-turn.ts';
import type { Adapters } from '../context.ts';
import { removeOldInboxEvents } from '../handoff/remove-old-inbox-events.ts';
import { removeExpiredKeys } from '../idempotency/expired-keys.ts';
import { failDocument, ingestDocument } from '../knowledge/ingest-document.ts';
import { removeOrphanFiles } from '../knowledge/remove-orphan-files.ts';
import { removeRetiredVectors } from '../knowledge/remove-retired-vectors.ts';
import { buildVectorIndexes } from '../knowledge/vector-indexes.ts';
import type { IngestionOutcome } from '../metrics.ts';
import { deliverWebhook, failDelivery } from '../webhooks/deliver-webhook.ts';
import { removeOldWebhookEvents } from '../webhooks/remove-old-webhook-events.ts';
import type { JobAttempt, JobHandlers, Jobs } from './queue.ts';

/** Everything that runs later, and what does it. */
export function jobHandlers(adapters: Adapters): JobHandlers {
  return {
    'ingest-document': {
      concurrency: 4,
      run: (payload, attempt) => measuredIngestion(adapters, payload, attempt),
    },
    'fail-document': {
      concurrency: 1,
      run: (payload, attempt) => failDocument(adapters, payload, attempt),
    },
    'remove-retired-vectors': {
      concurrency: 1,
      run: (_payload, { signal }) =>
        removeRetiredVectors({ ...adapters, pool: adapters.database.owner, signal }),
    },
    'build-vector-indexes': {
      concurrency: 1,
      run: async (_payload, { signal }) => {
        await buildVectorIndexes({ ...adapters, pool: adapters.database.owner, signal });
      },
    },
    'remove-file': {
      concurrency: 1,
      run: ({ key }, { signal }) => adapters.storage.remove([key], signal),
    },
    'remove-orphan-files': {
      concurrency: 1,
      run: (_payload, { signal }) => removeOrphanFiles(adapters, signal),
    },
    'remove-expired-idempotency-keys': {
      concurrency: 1,
      run: (_payload, { signal }) => removeExpiredKeys(adapters, signal),
    },
    // Few for each endpoint: a receiver that keeps silent must not take the places of all others.
    'deliver-webhook': {
      concurrency: 16,
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
    'close-stale-answers': { concurrency: 1, run: () => closeStaleAnswers(adapters) },
    'remove-answer-events': {
      concurrency: 1,
      run: (_payload, { signal }) => removeOldEvents(adapters, signal),
    },
  };
}

async function measuredIngestion(
  adapters: Adapters,
  payload: Jobs['ingest-document'],
  attempt: JobAttempt,
): Promise<void> {
  const startedAt = performance.now();
  const tell = (outcome: IngestionOutcome) =>
    adapters.metrics.ingestionEnded(outcome, (performance.now() - startedAt) / 1_000);
  try {
    const outcome = await ingestDocument(adapters, payload, attempt);
    if (outcome !== null) tell(outcome);
  } catch (error) {
    tell('RETRIED');
    throw error;
  }
}
