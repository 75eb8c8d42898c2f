import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { WebhookDeliveryStatus } from '../generated/prisma/enums.ts';
import { isId } from '../ids.ts';
import { requireProject } from '../organizations/require-project.ts';

/** An event's way to one endpoint. */
export type WebhookDelivery = Prisma.WebhookDeliveryGetPayload<object>;

/** The project's deliveries, newest first; `query` says which part of them. */
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
