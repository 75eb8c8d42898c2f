import type { Context } from '../context.ts';
import { removeInBatches } from '../remove-in-batches.ts';

/**
 * Removes webhook events, with their deliveries and the log of tries, 90 days after they happened and after the last
 * of their deliveries came to its end, in bounded batches.
 */
export function removeOldWebhookEvents(
  context: Pick<Context, 'pool'>,
  signal: AbortSignal,
): Promise<void> {
  return removeInBatches(
    context,
    { text: removeBatch, values: [keptDays], batchSize: 500 },
    signal,
  );
}

const keptDays = 90;

const removeBatch = `
  delete from grounded.webhook_events
  where id in (
    select event.id from grounded.webhook_events event
    where event.occurred_at <= now() - make_interval(days => $1) and not exists (
      select from grounded.webhook_deliveries delivery
      where delivery.event_id = event.id
        and (delivery.status = 'PENDING' or delivery.updated_at > now() - make_interval(days => $1)))
    order by event.occurred_at
    limit $2
    for update skip locked)`;
