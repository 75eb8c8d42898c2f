import { type Context, transaction } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { newId } from '../ids.ts';
import { requireProject } from '../organizations/require-project.ts';
import { transactionSql } from '../run-sql.ts';
import { requireValidEndpoint } from './endpoint-rules.ts';
import { type WebhookEndpoint, withoutSecrets } from './webhook-endpoints.ts';
import { generateWebhookSecret } from './webhook-signature.ts';
import { webhookEventTypes } from './webhook-types.ts';

/** An endpoint with a new secret, the only time that it is shown. */
export interface NewWebhookSecret {
  readonly secret: string;
  readonly endpoint: WebhookEndpoint;
}

const maxEndpoints = 20;

/**
 * Makes an endpoint, for all types of events where none are named. Throws `VALIDATION_FAILED` for an address or types
 * that cannot be, `CONFLICT` when the project has as many endpoints as it may.
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
  return transaction(context, async ({ db }) => {
    await requireRoom(db, projectId);
    const data = { id: newId(), projectId, url, types, secret };
    return { secret, endpoint: await db.webhookEndpoint.create({ ...withoutSecrets, data }) };
  });
}

/** Counts behind the lock of the project's row, which puts those who add endpoints in line. */
async function requireRoom(db: Prisma.TransactionClient, projectId: string): Promise<void> {
  await transactionSql(db).query(
    'select id from grounded.projects where id = $1::uuid for no key update',
    [projectId],
  );
  if ((await db.webhookEndpoint.count({ where: { projectId } })) >= maxEndpoints) {
    throw new DomainError('CONFLICT', `A project has at most ${maxEndpoints} webhook endpoints`);
  }
}
