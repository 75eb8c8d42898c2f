import { defineJob, noPayload, scheduledQueue } from '../../platform/jobs/job.ts';
import { removeInBatches } from '../../platform/postgres/remove-in-batches.ts';
import type { Adapters, Context } from '../context.ts';

export const removeOldAuditEntriesJob = defineJob({
  name: 'remove-old-audit-entries',
  payload: noPayload,
  queue: scheduledQueue,
  schedule: '47 * * * *',
  concurrency: 1,
  run: (adapters: Adapters, _payload, { signal }) =>
    removeOldAuditEntries(adapters, adapters.auditRetentionDays, signal),
});

/**
 * Deletes audit entries that are older than the retention period, in batches. Nothing else in the service deletes audit
 * entries.
 */
export function removeOldAuditEntries(
  context: Pick<Context, 'pool'>,
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  const text = 'select from grounded.remove_old_audit_entries($1::integer, $2::integer)';
  return removeInBatches(context, { text, values: [retentionDays], batchSize: 1_000 }, signal);
}
