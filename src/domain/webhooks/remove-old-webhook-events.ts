import { defineJob, noPayload, scheduledQueue } from '../../platform/jobs/job.ts';
import { removeInBatches } from '../../platform/postgres/remove-in-batches.ts';
import type { Adapters, Context } from '../context.ts';

export const removeOldWebhookEventsJob = defineJob({
  name: 'remove-old-webhook-events',
  payload: noPayload,
  queue: scheduledQueue,
  schedule: '37 * * * *',
  concurrency: 1,
  run: (adapters: Adapters, _payload, { signal }) => removeOldWebhookEvents(adapters, signal),
});

/**
 * Deletes webhook events with their deliveries and attempts, in batches of 500. Deletes an event only if the event and
 * its last delivery are both more than 90 days old.
 */
export function removeOldWebhookEvents(
  context: Pick<Context, 'pool'>,
  signal: AbortSignal,
): Promise<void> {
  return removeInBatches(
    context,
    { text: removeBatch, values: [retentionDays], batchSize: 500 },
    signal,
  );
}

const retentionDays = 90;

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
