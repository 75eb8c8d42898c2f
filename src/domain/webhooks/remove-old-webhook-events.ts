import { defineRemovalJob } from '../../platform/jobs/removal-job.ts';

/**
 * Deletes webhook events with their deliveries and attempts. Deletes an event only if the event and its last delivery
 * are both more than 90 days old.
 */
export const removeOldWebhookEventsJob = defineRemovalJob(
  'remove-old-webhook-events',
  '37 * * * *',
  () => ({ text: removeBatch, values: [90], batchSize: 500 }),
);

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
