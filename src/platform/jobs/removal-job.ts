import type { Pool } from 'pg';
import { type BatchedDelete, removeInBatches } from '../postgres/remove-in-batches.ts';
import { defineJob, noPayload, scheduledQueue } from './job.ts';

/** Defines a job that deletes old rows on a schedule (a cron expression in UTC), in batches. */
export function defineRemovalJob<Services extends { readonly pool: Pool }>(
  name: string,
  schedule: string,
  removal: (services: Services) => BatchedDelete,
) {
  return defineJob({
    ...{ name, schedule, payload: noPayload, queue: scheduledQueue, concurrency: 1 },
    run: (services: Services, _payload, { signal }) =>
      removeInBatches(services, removal(services), signal),
  });
}
