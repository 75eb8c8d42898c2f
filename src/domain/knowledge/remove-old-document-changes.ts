import { defineRemovalJob } from '../../platform/jobs/removal-job.ts';

/**
 * Deletes records of document changes after a day. Search indexes in memory do not miss them: an index that was not
 * compared with the records for an hour is loaded again (`maxIdleMs`).
 */
export const removeOldDocumentChangesJob = defineRemovalJob(
  'remove-old-document-changes',
  '7 * * * *',
  () => ({ text: removeBatch, batchSize: 1_000 }),
);

const removeBatch = `
  delete from grounded.document_changes
  where (project_id, document_id) in (
    select project_id, document_id from grounded.document_changes
    where changed_at < now() - interval '1 day'
    order by changed_at
    limit $1
    for update skip locked)`;
