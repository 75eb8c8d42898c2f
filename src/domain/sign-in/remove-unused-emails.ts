import { defineRemovalJob } from '../../platform/jobs/removal-job.ts';

/**
 * Deletes confirmed addresses of users who are not members of any organization, at the earliest one day after the
 * confirmation. If such a user returns, the identity provider confirms the address again.
 */
export const removeUnusedEmailsJob = defineRemovalJob('remove-unused-emails', '53 * * * *', () => ({
  text: removeBatch,
  batchSize: 1_000,
}));

const removeBatch = `
  delete from grounded.operator_emails
  where user_id in (
    select confirmed.user_id from grounded.operator_emails confirmed
    where confirmed.confirmed_at < now() - interval '1 day'
      and not exists (select from grounded.members member where member.user_id = confirmed.user_id)
    limit $1)`;
