/** Everything a webhook endpoint can subscribe to. */
export const webhookEventTypes = [
  'human.requested',
  'handoff.claimed',
  'handoff.resolved',
  'message.created',
  'document.ready',
  'document.failed',
] as const;

/** What is sent to one endpoint when somebody asks for it, whatever it subscribes to. */
export const webhookTestType = 'webhook.test';

export type WebhookEventType = (typeof webhookEventTypes)[number];

/** What is told of each type. Moments are ISO 8601, UTC. Aliases, because only those count as JSON objects. */
export type WebhookEventData = {
  readonly 'human.requested': HumanRequested;
  readonly 'handoff.claimed': HandoffClaimed;
  readonly 'handoff.resolved': HandoffResolved;
  readonly 'message.created': MessageCreated;
  readonly 'document.ready': DocumentReady;
  readonly 'document.failed': DocumentFailed;
};

/** A body must stay below this, in UTF-8: what Standard Webhooks recommends. */
export const webhookBodyLimitBytes = 20_000;

/** The body of every message about an event. */
export function webhookBody(event: {
  readonly type: string;
  readonly occurredAt: Date;
  readonly data: unknown;
}): string {
  const { type, occurredAt, data } = event;
  return JSON.stringify({ type, timestamp: occurredAt.toISOString(), data });
}

type Tenant = {
  readonly organizationId: string;
  readonly projectId: string;
};

type OfConversation = Tenant & {
  readonly conversationId: string;
  readonly endUserId: string | null;
};

type HumanRequested = OfConversation & {
  readonly handoffId: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly reason: string | null;
  readonly requestedAt: string;
  /** The end of the conversation, oldest first. Long contents are cut, which a last `…` shows. */
  readonly lastMessages: {
    readonly id: string;
    readonly role: string;
    readonly content: string;
    readonly createdAt: string;
  }[];
};

type HandoffClaimed = OfConversation & {
  readonly handoffId: string;
  /** The operator's e-mail address, or `service`. */
  readonly claimedBy: string;
  readonly claimedAt: string;
};

type HandoffResolved = OfConversation & {
  readonly handoffId: string;
  readonly resolvedAt: string;
};

type MessageCreated = OfConversation & {
  readonly messageId: string;
  readonly role: string;
  /** A long one is cut, which a last `…` shows. */
  readonly content: string;
  readonly createdAt: string;
};

type DocumentReady = Tenant & {
  readonly documentId: string;
  readonly name: string;
  readonly chunkCount: number;
  readonly tokenCount: number;
  readonly processedAt: string;
};

type DocumentFailed = Tenant & {
  readonly documentId: string;
  readonly name: string;
  readonly error: { readonly code: string; readonly message: string };
  readonly processedAt: string;
};
