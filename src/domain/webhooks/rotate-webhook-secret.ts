import type { Context } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import type { NewWebhookSecret } from './create-webhook-endpoint.ts';
import { getWebhookEndpoint, withoutSecrets } from './webhook-endpoints.ts';
import { generateWebhookSecret } from './webhook-signature.ts';

/** The old secret goes on signing this long, so that the receiver can change over. */
const defaultOverlapSeconds = 24 * 60 * 60;

/**
 * Gives an endpoint another secret. Both sign for `overlapSeconds` (default a day, 0 not at all).
 * Throws `NOT_FOUND`, and `CONFLICT` when somebody else has just done the same.
 */
export async function rotateWebhookSecret(
  context: Context,
  input: { readonly id: string; readonly overlapSeconds?: number | null },
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
    overlapSeconds === 0 ? withoutPrevious : previousUntil(old.secret, overlapSeconds);
  const [endpoint] = await webhookEndpoint.updateManyAndReturn({
    ...withoutSecrets,
    where: { id, projectId, secret: old.secret },
    data: { secret, ...previous },
  });
  if (endpoint === undefined) throw new DomainError('CONFLICT', 'The secret has just been changed');
  return { secret, endpoint };
}

const withoutPrevious = { previousSecret: null, previousSecretExpiresAt: null };

function previousUntil(previousSecret: string, overlapSeconds: number) {
  return { previousSecret, previousSecretExpiresAt: new Date(Date.now() + overlapSeconds * 1000) };
}
