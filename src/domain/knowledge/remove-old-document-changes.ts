import { defineJob, noPayload, scheduledQueue } from '../../platform/jobs/job.ts';
import { removeInBatches } from '../../platform/postgres/remove-in-batches.ts';
import type { Adapters, Context } from '../context.ts';

export const removeOldDocumentChangesJob = defineJob({
  name: 'remove-old-document-changes',
  payload: noPayload,
  queue: scheduledQueue,
  schedule: '7 * * * *',
  concurrency: 1,
  run: (adapters: Adapters, _payload, { signal }) => removeOldDocumentChanges(adapters, signal),
});

/**
 * Deletes records of document changes after a day, in batches of 1,000. Search indexes in memory do not miss them: an
 * index that was not compared with the records for an hour is loaded again (`maxIdleMs`).
 */
export function removeOldDocumentChanges(
  context: Pick<Context, 'pool'>,
  signal: AbortSignal,
): Promise<void> {
  return removeInBatches(context, { text: removeBatch, batchSize: 1_000 }, signal);
}

const removeBatch = `
  delete from grounded.document_changes
  where (project_id, document_id) in (
    select project_id, document_id from grounded.document_changes
    where changed_at < now() - interval '1 day'
    order by changed_at
    limit $1
    for update skip locked)`;
