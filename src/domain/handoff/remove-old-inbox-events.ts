import type { Context } from '../context.ts';
import { removeInBatches } from '../remove-in-batches.ts';

/**
 * Removes the inbox events of handoffs that have ended, 90 days after they were told, in bounded batches. The project
 * remembers up to where, so that nobody who comes back later than that skips events without knowing.
 */
export function removeOldInboxEvents(
  context: Pick<Context, 'pool'>,
  signal: AbortSignal,
): Promise<void> {
  return removeInBatches(
    context,
    { text: removeBatch, values: [keptDays], batchSize: 1_000 },
    signal,
  );
}

const keptDays = 90;

const removeBatch = `
  with old as (
    select event.project_id, event.position
    from grounded.inbox_events event join grounded.handoffs handoff on handoff.id = event.handoff_id
    where event.created_at <= now() - make_interval(days => $1) and handoff.status = 'RESOLVED'
    order by event.created_at
    limit $2
    for update of event skip locked
  ), removed as (
    delete from grounded.inbox_events event using old
    where event.project_id = old.project_id and event.position = old.position
    returning event.project_id, event.position
  ), marked as (
    update grounded.projects project
    set inbox_removed_position = greatest(project.inbox_removed_position, last.position)
    from (select project_id, max(position) as position from removed group by project_id) as last
    where project.id = last.project_id
  )
  select from removed`;
