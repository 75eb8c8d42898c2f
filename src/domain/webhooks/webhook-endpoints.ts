import { notFound } from '../../platform/errors.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { type Context, transaction } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';
import { requireProjectResource } from '../organizations/require-project-resource.ts';
import { auditEndpoint } from './audit-endpoint.ts';
import { requireValidEndpoint } from './require-valid-endpoint.ts';

/** Receiver of a project's events. Does not contain its secrets. */
export type WebhookEndpoint = Prisma.WebhookEndpointGetPayload<typeof withoutSecrets>;

/** Omits the secrets. They are read only to sign messages. */
export const withoutSecrets = {
  omit: { secret: true, previousSecret: true },
} as const satisfies Prisma.WebhookEndpointDefaultArgs;

/** Identifies an endpoint. If `projectId` is set, the endpoint must belong to that project. */
export interface EndpointTarget {
  readonly id: string;
  readonly projectId?: string | null;
}

/**
 * Returns an endpoint of a project in which the caller may manage webhooks.
 * @throws DomainError NOT_FOUND when the endpoint is unknown
 */
export async function getWebhookEndpoint(
  context: Context,
  { id, projectId }: EndpointTarget,
): Promise<WebhookEndpoint> {
  const { resource: found } = await requireProjectResource(
    context,
    'webhooks:manage',
    { what: 'Webhook endpoint', id, projectId },
    (id) => context.db.webhookEndpoint.findUnique({ ...withoutSecrets, where: { id } }),
  );
  return found;
}

/** Returns all endpoints of the project, newest first. A project has at most 20 endpoints. */
export async function listWebhookEndpoints(
  context: Context,
  input: { readonly projectId: string },
): Promise<WebhookEndpoint[]> {
  const { id: projectId } = await requireProject(context, input.projectId, 'webhooks:manage');
  return context.db.webhookEndpoint.findMany({
    ...withoutSecrets,
    where: { projectId },
    orderBy: { id: 'desc' },
  });
}

/**
 * Changes the given fields. A disabled endpoint receives no new events, and its pending deliveries fail at their next
 * attempt.
 * @throws DomainError NOT_FOUND when the endpoint is unknown
 * @throws DomainError VALIDATION_FAILED when the URL or a type is invalid
 */
export async function updateWebhookEndpoint(
  context: Context,
  input: EndpointTarget & {
    readonly url?: string | null;
    readonly types?: readonly string[] | null;
    readonly isEnabled?: boolean | null;
  },
): Promise<WebhookEndpoint> {
  const { id, projectId, disabledAt } = await getWebhookEndpoint(context, input);
  requireValidEndpoint(input, context.webhookSender);
  const { url, types, isEnabled } = input;
  return transaction(
    context,
    async (context) => {
      const [endpoint] = await context.db.webhookEndpoint.updateManyAndReturn({
        ...withoutSecrets,
        where: { id, projectId },
        data: {
          ...(url != null && { url }),
          ...(types != null && { types: [...new Set(types)] }),
          ...(isEnabled === true && { disabledAt: null, disabledReason: null }),
          ...(isEnabled === false && disabledAt === null && manuallyDisabled()),
        },
      });
      if (endpoint === undefined) throw notFound('Webhook endpoint');
      const { id: _, projectId: __, ...change } = input;
      await auditEndpoint(context, 'WEBHOOK_UPDATED', endpoint, change);
      return endpoint;
    },
    { isRemoval: isEnabled === false },
  );
}

function manuallyDisabled() {
  return { disabledAt: new Date(), disabledReason: manualReason };
}

const manualReason = 'Disabled by hand';

/**
 * Returns true if an operator disabled the endpoint. Returns false if the service disabled it, or if the endpoint is
 * enabled.
 */
export function isPaused({ disabledReason }: Pick<WebhookEndpoint, 'disabledReason'>): boolean {
  return disabledReason === manualReason;
}

/**
 * Deletes an endpoint and its deliveries.
 * @throws DomainError NOT_FOUND when the endpoint is unknown
 */
export async function deleteWebhookEndpoint(
  context: Context,
  input: EndpointTarget,
): Promise<WebhookEndpoint> {
  const endpoint = await getWebhookEndpoint(context, input);
  const { id, projectId } = endpoint;
  return transaction(
    context,
    async (context) => {
      const { count } = await context.db.webhookEndpoint.deleteMany({ where: { id, projectId } });
      if (count === 0) throw notFound('Webhook endpoint');
      await auditEndpoint(context, 'WEBHOOK_DELETED', endpoint);
      return endpoint;
    },
    { isRemoval: true },
  );
}
