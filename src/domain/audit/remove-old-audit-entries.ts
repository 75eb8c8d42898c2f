import { defineRemovalJob } from '../../platform/jobs/removal-job.ts';
import type { Adapters } from '../context.ts';

/** Deletes audit entries that are older than the retention period. Nothing else in the service deletes audit entries. */
export const removeOldAuditEntriesJob = defineRemovalJob(
  'remove-old-audit-entries',
  '47 * * * *',
  ({ auditRetentionDays }: Pick<Adapters, 'pool' | 'auditRetentionDays'>) => ({
    text: 'select from grounded.remove_old_audit_entries($1::integer, $2::integer)',
    values: [auditRetentionDays],
    batchSize: 1_000,
  }),
);
