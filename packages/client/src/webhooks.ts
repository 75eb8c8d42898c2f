import { WebhookVerificationError } from './errors.ts';
import type { components } from './generated/openapi-types.ts';

type Schemas = components['schemas'];

/** An event of a webhook. `type` says which event it is. */
export type WebhookEvent =
  | Schemas['HumanRequestedEvent']
  | Schemas['HandoffClaimedEvent']
  | Schemas['HandoffResolvedEvent']
  | Schemas['MessageCreatedEvent']
  | Schemas['DocumentReadyEvent']
  | Schemas['DocumentFailedEvent']
  | Schemas['DocumentUpdatedEvent']
  | Schemas['SourceSyncedEvent']
  | Schemas['EvaluationRegressedEvent']
  | WebhookTestEvent;

/** The event that `webhooks.test` sends. */
export interface WebhookTestEvent {
  readonly type: 'webhook.test';
  readonly timestamp: string;
  readonly data: { readonly projectId: string; readonly endpointId: string };
}

export interface WebhookRequest {
  /** The body exactly as received. Do not parse it first. */
  readonly body: string | Uint8Array;
  /** Headers of the request, as a `Headers` object or as Node represents them. */
  readonly headers:
    | Pick<Headers, 'get'>
    | Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface VerificationOptions {
  /** The secret, `whsec_…`. Pass both secrets while you replace an old one in your settings. */
  readonly secret: string | readonly string[];
  /** Maximum difference between the time of a request and the current time, in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
}

/** A rotation produces fewer signatures. Requests with more are refused, because each check costs time. */
const maxSignatures = 10;

/**
 * Verifies a request as Standard Webhooks specifies, and returns its event. An event may arrive several times: use the
 * header `webhook-id` to detect this.
 * @throws WebhookVerificationError if the request is not from the service, too old, or malformed
 */
export async function verifyWebhook(
  { body, headers }: WebhookRequest,
  { secret, toleranceSeconds = 300 }: VerificationOptions,
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ', maxSignatures);
  const ageSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError(
      'The webhook is too old or too early: compare the clock of this machine',
    );
  }
  const signed = concatBytes(toBytes(`${id}.${timestamp}.`), toBytes(body));
  for (const key of typeof secret === 'string' ? [secret] : secret) {
    if (await isSigned(key, signatures, signed)) return parseEvent(body);
  }
  throw new WebhookVerificationError('No signature of the webhook is valid: compare the secret');
}

/** Uses `crypto.subtle.verify` because it compares in constant time. */
async function isSigned(
  secret: string,
  signatures: readonly string[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
  if (bytes === null || bytes.length === 0) throw new TypeError('The secret is not a `whsec_…`');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  for (const signature of signatures) {
    const value = signature.startsWith('v1,') ? decodeBase64(signature.slice(3)) : null;
    if (value !== null && (await crypto.subtle.verify('HMAC', key, value, signed))) return true;
  }
  return false;
}

function headerOf(headers: WebhookRequest['headers'], name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : (headers as Readonly<Record<string, unknown>>)[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError(`The header ${name} is missing`);
}

function parseEvent(body: string | Uint8Array): WebhookEvent {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch (cause) {
    throw new WebhookVerificationError('The webhook is not JSON', { cause });
  }
}

function toBytes(value: string | Uint8Array): Uint8Array {
  return typeof value === 'string' ? new TextEncoder().encode(value) : value;
}

function concatBytes(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
