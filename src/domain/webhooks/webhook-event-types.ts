/** Event types to which a webhook endpoint can subscribe. */
export const webhookEventTypes = [
  'human.requested',
  'handoff.updated',
  'handoff.claimed',
  'handoff.resolved',
  'handoff.rated',
  'message.created',
  'document.ready',
  'document.failed',
  'source.synced',
  'document.updated',
  'evaluation.regressed',
  'budget.warning',
] as const;

/**
 * Type of test events. They are sent on request to a single endpoint, even if the endpoint does not subscribe to this
 * type.
 */
export const webhookTestEventType = 'webhook.test';

export type WebhookEventType = (typeof webhookEventTypes)[number];

/** The size of the body in UTF-8 must be below this limit. Recommended by Standard Webhooks. */
export const webhookBodyLimitBytes = 20_000;

/** Returns the body of a webhook message. */
export function webhookBody(event: {
  readonly type: string;
  readonly occurredAt: Date;
  readonly data: unknown;
}): string {
  const { type, occurredAt, data } = event;
  return JSON.stringify({ type, timestamp: occurredAt.toISOString(), data });
}
