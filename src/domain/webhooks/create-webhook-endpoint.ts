import { DomainError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { type Context, transaction } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';
import { auditEndpoint } from './audit-endpoint.ts';
import { requireValidEndpoint } from './require-valid-endpoint.ts';
import { type WebhookEndpoint, withoutSecrets } from './webhook-endpoints.ts';
import { webhookEventTypes } from './webhook-event-types.ts';
import { generateWebhookSecret } from './webhook-signature.ts';

/** A webhook endpoint and its new secret, which is returned only once. */
export interface NewWebhookSecret {
  readonly secret: string;
  readonly endpoint: WebhookEndpoint;
}

const maxEndpoints = 20;

/**
 * Creates a webhook endpoint. Without `types`, the endpoint subscribes to all event types.
 * @throws DomainError VALIDATION_FAILED when the URL or a type is invalid
 * @throws DomainError CONFLICT when the project already has 20 endpoints
 */
export async function createWebhookEndpoint(
  context: Context,
  input: {
    readonly projectId: string;
    readonly url: string;
    readonly types?: readonly string[] | null;
  },
): Promise<NewWebhookSecret> {
  const { id: projectId } = await requireProject(context, input.projectId, 'webhooks:manage');
  requireValidEndpoint(input, context.webhookSender);
  const { url } = input;
  const types = [...new Set(input.types ?? webhookEventTypes)];
  const secret = generateWebhookSecret();
  return transaction(context, async (context) => {
    const { db } = context;
    await requireEndpointCapacity(db, projectId);
    const id = newId();
    const data = { id, projectId, url, types, secret: context.secretBox.encrypt(secret, id) };
    const endpoint = await db.webhookEndpoint.create({ ...withoutSecrets, data });
    await auditEndpoint(context, 'WEBHOOK_CREATED', endpoint, { types });
    return { secret, endpoint };
  });
}

/** Counts the endpoints after locking the project's row, so that concurrent calls cannot exceed the limit. */
async function requireEndpointCapacity(
  db: Prisma.TransactionClient,
  projectId: string,
): Promise<void> {
  await runSql(db, 'select id from grounded.projects where id = $1::uuid for no key update', [
    projectId,
  ]);
  if ((await db.webhookEndpoint.count({ where: { projectId } })) >= maxEndpoints) {
    throw new DomainError('CONFLICT', `A project has at most ${maxEndpoints} webhook endpoints`);
  }
}
