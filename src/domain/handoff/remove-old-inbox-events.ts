import { defineRemovalJob } from '../../platform/jobs/removal-job.ts';

/**
 * Deletes inbox events of resolved handoffs after 90 days. Each project stores the position of the last deleted event.
 * So the inbox can reject older cursors, and no client misses events without noticing.
 */
export const removeOldInboxEventsJob = defineRemovalJob(
  'remove-old-inbox-events',
  '27 * * * *',
  () => ({ text: removeBatch, values: [90], batchSize: 1_000 }),
);

const removeBatch = `
  with expired as (
    select event.project_id, event.position
    from grounded.inbox_events event join grounded.handoffs handoff on handoff.id = event.handoff_id
    where event.created_at <= now() - make_interval(days => $1) and handoff.status = 'RESOLVED'
    order by event.created_at
    limit $2
    for update of event skip locked
  ), removed as (
    delete from grounded.inbox_events event using expired
    where event.project_id = expired.project_id and event.position = expired.position
    returning event.project_id, event.position
  ), recorded as (
    update grounded.projects project
    set inbox_removed_position = greatest(project.inbox_removed_position, last.position)
    from (select project_id, max(position) as position from removed group by project_id) as last
    where project.id = last.project_id
  )
  select from removed`;
