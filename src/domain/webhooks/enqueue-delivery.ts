import type { Context } from '../context.ts';

/**
 * Enqueues the next attempt of a delivery in the transaction of `db`. The job contains the number of the attempt,
 * so that a duplicate job has no effect.
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
  await queue.enqueue(db, 'deliver-webhook', payload, { delaySeconds, group: endpointId });
}
