import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { deliverWebhookJobType } from './delivery-job-types.ts';

/**
 * Deliveries of an organization run in at most this many lanes. The deliveries of a lane share the limits of the job
 * type.
 */
const lanesPerOrganization = 8;

/**
 * Enqueues the next attempt of a delivery in the transaction of `db`. The job contains the number of the attempt, so
 * that a duplicate job has no effect. The job type limits the number of jobs per lane. This also limits the jobs of an
 * endpoint and of an organization.
 */
export async function enqueueDelivery(
  { db, queue }: Pick<Context, 'db' | 'queue'>,
  delivery: {
    readonly id: string;
    readonly projectId: string;
    readonly endpointId: string;
    /** Number of attempts so far. */
    readonly attempts: number;
  },
  delaySeconds = 0,
): Promise<void> {
  const { id: deliveryId, projectId, endpointId, attempts } = delivery;
  const payload = { deliveryId, projectId, attempt: attempts + 1 };
  const [found] = await runSql<{ lane: string }>(db, findLane, [endpointId, projectId]);
  const group = found?.lane ?? endpointId;
  await queue.enqueue(db, deliverWebhookJobType, payload, { delaySeconds, group });
}

/**
 * Returns the lane of an endpoint. Numbers the endpoints of the organization by age. If the organization has no more
 * endpoints than lanes, each endpoint has its own lane.
 */
const findLane = `
  select project.organization_id || ':' || count(endpoint.id) % ${lanesPerOrganization} as lane
  from grounded.projects project
  join grounded.projects sibling on sibling.organization_id = project.organization_id
  left join grounded.webhook_endpoints endpoint
    on endpoint.project_id = sibling.id and endpoint.id < $1::uuid
  where project.id = $2::uuid
  group by project.organization_id`;
