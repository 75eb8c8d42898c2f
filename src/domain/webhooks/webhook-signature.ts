import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const secretBytes = 32;

/** Generates a secret in the format of Standard Webhooks: `whsec_` and 256 random bits in base64. */
export function generateWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

/**
 * Returns the headers of a signed message, with one signature per secret.
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
