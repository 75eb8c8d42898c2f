import { removeInBatches } from '../../platform/postgres/remove-in-batches.ts';
import type { Context } from '../context.ts';

/**
 * Deletes confirmed addresses of users who have not been members of an organization for a day. If such a user returns,
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
