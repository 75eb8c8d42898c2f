import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const secretBytes = 32;

/** A new secret as Standard Webhooks writes it: `whsec_` and 256 random bits in base64. */
export function generateWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

/**
 * The headers by which a receiver knows a message and its sender, with one signature for each secret.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function webhookHeaders(
  message: { readonly id: string; readonly body: string; readonly sentAt: Date },
  secrets: readonly string[],
): Record<string, string> {
  const { id, body, sentAt } = message;
  const timestamp = Math.floor(sentAt.getTime() / 1000);
  const signed = `${id}.${timestamp}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${signature(secret, signed)}`).join(' '),
  };
}

function signature(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return createHmac('sha256', key).update(signed).digest('base64');
}
