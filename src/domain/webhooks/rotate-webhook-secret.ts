import { DomainError, notFound } from '../../platform/errors.ts';
import { type Context, transaction } from '../context.ts';
import { auditEndpoint } from './audit-endpoint.ts';
import type { NewWebhookSecret } from './create-webhook-endpoint.ts';
import { type EndpointTarget, getWebhookEndpoint, withoutSecrets } from './webhook-endpoints.ts';
import { generateWebhookSecret } from './webhook-signature.ts';

/**
 * Default time for which messages are also signed with the old secret. The receiver switches to the new secret in this
 * time.
 */
const defaultOverlapSeconds = 24 * 60 * 60;

/**
 * Replaces the secret of an endpoint. Messages are signed with both secrets for `overlapSeconds` (default: one day). If
 * `overlapSeconds` is 0, messages are signed only with the new secret.
 * @throws DomainError NOT_FOUND when the endpoint is unknown
 * @throws DomainError CONFLICT when the secret was rotated concurrently
 */
export async function rotateWebhookSecret(
  context: Context,
  input: EndpointTarget & { readonly overlapSeconds?: number | null },
): Promise<NewWebhookSecret> {
  const { id, projectId } = await getWebhookEndpoint(context, input);
  const { webhookEndpoint } = context.db;
  const old = await webhookEndpoint.findFirst({
    where: { id, projectId },
    select: { secret: true },
  });
  if (old === null) throw notFound('Webhook endpoint');

  const secret = generateWebhookSecret();
  const overlapSeconds = input.overlapSeconds ?? defaultOverlapSeconds;
  const previous =
    overlapSeconds === 0 ? withoutPrevious : keepPreviousSecret(old.secret, overlapSeconds);
  return transaction(context, async (context) => {
    const [endpoint] = await context.db.webhookEndpoint.updateManyAndReturn({
      ...withoutSecrets,
      where: { id, projectId, secret: old.secret },
      data: { secret: context.secretBox.encrypt(secret, id), ...previous },
    });
    if (endpoint === undefined)
      throw new DomainError(
        'CONFLICT',
        'The secret was changed in the meantime: read the endpoint again',
      );
    await auditEndpoint(context, 'WEBHOOK_SECRET_ROTATED', endpoint, { overlapSeconds });
    return { secret, endpoint };
  });
}

const withoutPrevious = { previousSecret: null, previousSecretExpiresAt: null };

function keepPreviousSecret(previousSecret: string, overlapSeconds: number) {
  return { previousSecret, previousSecretExpiresAt: new Date(Date.now() + overlapSeconds * 1000) };
}
