import { notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { WebhookDeliveryStatus } from '../../platform/postgres/generated/prisma/enums.ts';
import type { Context } from '../context.ts';
import { type ListPart, selectPart } from '../list-place.ts';
import { type Page, type PageInput, readPage } from '../offset-pagination.ts';
import { requireProject } from '../organizations/require-project.ts';
import { getWebhookEndpoint } from './webhook-endpoints.ts';

/** Delivery of one event to one endpoint. */
export type WebhookDelivery = Prisma.WebhookDeliveryGetPayload<object>;

/** Conditions for deliveries. All given conditions must match. */
interface DeliveryFilter {
  readonly projectId: string;
  readonly endpointId?: string | null;
  readonly status?: WebhookDeliveryStatus | null;
  /** Type of the event, such as `human.requested`. */
  readonly eventType?: string | null;
}

/** Returns the project's deliveries, newest first; `query` selects the page. */
export async function listWebhookDeliveries(
  context: Context,
  input: DeliveryFilter,
  query: Pick<Prisma.WebhookDeliveryFindManyArgs, 'include'> & ListPart = {},
): Promise<WebhookDelivery[]> {
  const { id: projectId } = await requireProject(context, input.projectId, 'webhooks:manage');
  const { endpointId } = input;
  if (endpointId != null && !isId(endpointId)) throw notFound('Webhook endpoint');
  const { include, ...part } = query;
  return context.db.webhookDelivery.findMany({
    include,
    ...selectPart(part, deliveriesWhere({ ...input, projectId }), newestFirst),
  });
}

/**
 * Returns one page of an endpoint's deliveries, newest first.
 * @throws DomainError NOT_FOUND when the endpoint is unknown
 */
export async function listWebhookDeliveriesByPage(
  context: Context,
  input: DeliveryFilter & PageInput & { readonly endpointId: string },
): Promise<Page<WebhookDelivery>> {
  const { projectId, endpointId } = input;
  await getWebhookEndpoint(context, { id: endpointId, projectId });
  const where = deliveriesWhere(input);
  return readPage(
    input,
    (part) => context.db.webhookDelivery.findMany(selectPart(part, where, newestFirst)),
    () => context.db.webhookDelivery.count({ where }),
  );
}

const newestFirst = [{ id: 'desc' }] as const;

function deliveriesWhere({
  projectId,
  endpointId,
  status,
  eventType,
}: DeliveryFilter): Prisma.WebhookDeliveryWhereInput {
  return {
    projectId,
    ...(endpointId != null && { endpointId }),
    ...(status != null && { status }),
    ...(eventType != null && { event: { is: { projectId, type: eventType } } }),
  };
}
