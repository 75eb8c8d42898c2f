import { defineJob, noPayload, scheduledQueue } from '../../platform/jobs/job.ts';
import { removeInBatches } from '../../platform/postgres/remove-in-batches.ts';
import type { Adapters, Context } from '../context.ts';

export const removeUnusedEmailsJob = defineJob({
  name: 'remove-unused-emails',
  payload: noPayload,
  queue: scheduledQueue,
  schedule: '53 * * * *',
  concurrency: 1,
  run: (adapters: Adapters, _payload, { signal }) => removeUnusedEmails(adapters, signal),
});

/**
 * Deletes confirmed addresses of users who have not been members of any organization for a day. If such a user returns,
 * the identity provider confirms the address again.
 */
export function removeUnusedEmails(
  context: Pick<Context, 'pool'>,
  signal: AbortSignal,
): Promise<void> {
  return removeInBatches(context, { text: removeBatch, batchSize: 1_000 }, signal);
}

const removeBatch = `
  delete from grounded.operator_emails
  where user_id in (
    select confirmed.user_id from grounded.operator_emails confirmed
    where confirmed.confirmed_at < now() - interval '1 day'
      and not exists (select from grounded.members member where member.user_id = confirmed.user_id)
    limit $1)`;
