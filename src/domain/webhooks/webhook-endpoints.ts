import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { requireInProject } from '../organizations/require-in-project.ts';
import { requireProject } from '../organizations/require-project.ts';
import { requireValidEndpoint } from './endpoint-rules.ts';

/** Where a project's events go. Its secrets are read only to sign with. */
export type WebhookEndpoint = Prisma.WebhookEndpointGetPayload<typeof withoutSecrets>;

/** What of an endpoint may be shown. */
export const withoutSecrets = {
  omit: { secret: true, previousSecret: true },
} as const satisfies Prisma.WebhookEndpointDefaultArgs;

/** An endpoint of a project in which the caller manages webhooks. Throws `NOT_FOUND`. */
export async function getWebhookEndpoint(
  context: Context,
  input: { readonly id: string },
): Promise<WebhookEndpoint> {
  const { found } = await requireInProject(
    context,
    'webhooks:manage',
    { what: 'Webhook endpoint', id: input.id },
    (id) => context.db.webhookEndpoint.findUnique({ ...withoutSecrets, where: { id } }),
  );
  return found;
}

/** The project's endpoints, newest first: all of them, there are few. */
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
 * Changes what is given. A disabled endpoint gets no new events, and deliveries that fall due meanwhile fail.
 * Throws `NOT_FOUND`, and `VALIDATION_FAILED` for an address or types that cannot be.
 */
export async function updateWebhookEndpoint(
  context: Context,
  input: {
    readonly id: string;
    readonly url?: string | null;
    readonly types?: readonly string[] | null;
    readonly isEnabled?: boolean | null;
  },
): Promise<WebhookEndpoint> {
  const { id, projectId, disabledAt } = await getWebhookEndpoint(context, input);
  requireValidEndpoint(input, context.webhookSender);
  const { url, types, isEnabled } = input;
  const [endpoint] = await context.db.webhookEndpoint.updateManyAndReturn({
    ...withoutSecrets,
    where: { id, projectId },
    data: {
      ...(url != null && { url }),
      ...(types != null && { types: [...new Set(types)] }),
      ...(isEnabled === true && { disabledAt: null, disabledReason: null }),
      ...(isEnabled === false && disabledAt === null && disabledByHand()),
    },
  });
  if (endpoint === undefined) throw notFound('Webhook endpoint');
  return endpoint;
}

function disabledByHand() {
  return { disabledAt: new Date(), disabledReason: 'Disabled by hand' };
}

/** Removes the endpoint with its deliveries. Throws `NOT_FOUND`. */
export async function deleteWebhookEndpoint(
  context: Context,
  input: { readonly id: string },
): Promise<WebhookEndpoint> {
  const endpoint = await getWebhookEndpoint(context, input);
  const { id, projectId } = endpoint;
  const { count } = await context.db.webhookEndpoint.deleteMany({ where: { id, projectId } });
  if (count === 0) throw notFound('Webhook endpoint');
  return endpoint;
}
