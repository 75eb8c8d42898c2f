import { notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { WebhookDeliveryStatus } from '../../platform/postgres/generated/prisma/enums.ts';
import type { Context } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';

/** Delivery of one event to one endpoint. */
export type WebhookDelivery = Prisma.WebhookDeliveryGetPayload<object>;

/** Returns the project's deliveries, newest first; `query` selects the page. */
export async function listWebhookDeliveries(
  context: Context,
  input: {
    readonly projectId: string;
    readonly endpointId?: string | null;
    readonly status?: WebhookDeliveryStatus | null;
  },
  query: Pick<Prisma.WebhookDeliveryFindManyArgs, 'include' | 'cursor' | 'take' | 'skip'> = {},
): Promise<WebhookDelivery[]> {
  const { id: projectId } = await requireProject(context, input.projectId, 'webhooks:manage');
  const { endpointId, status } = input;
  if (endpointId != null && !isId(endpointId)) throw notFound('Webhook endpoint');
  return context.db.webhookDelivery.findMany({
    ...query,
    where: {
      projectId,
      ...(endpointId != null && { endpointId }),
      ...(status != null && { status }),
    },
    orderBy: { id: 'desc' },
  });
}
