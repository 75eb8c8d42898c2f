import type { Context } from '../context.ts';

/**
 * Orders the next try of a delivery in the transaction of `db`. The order names the try, so that a second order for
 * the same one does nothing once either has been carried out.
 */
export async function enqueueDelivery(
  { db, queue }: Pick<Context, 'db' | 'queue'>,
  delivery: {
    readonly id: string;
    readonly projectId: string;
    readonly endpointId: string;
    /** Tries so far. */
    readonly attempts: number;
  },
  delaySeconds = 0,
): Promise<void> {
  const { id: deliveryId, projectId, endpointId, attempts } = delivery;
  const payload = { deliveryId, projectId, attempt: attempts + 1 };
  await queue.enqueue(db, 'deliver-webhook', payload, { delaySeconds, group: endpointId });
}
