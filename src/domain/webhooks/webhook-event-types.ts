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
] as const;

/**
 * Type of test events. They are sent on request to a single endpoint, even if the endpoint does not subscribe to this
 * type.
 */
export const webhookTestEventType = 'webhook.test';

export type WebhookEventType = (typeof webhookEventTypes)[number];

/**
 * Payload of each event type. Times are ISO 8601, UTC. Type aliases and not interfaces, because interfaces are not
 * assignable to Prisma's JSON type.
 */
export type WebhookEventData = {
  readonly 'human.requested': HumanRequested;
  readonly 'handoff.updated': HandoffUpdated;
  readonly 'handoff.claimed': HandoffClaimed;
  readonly 'handoff.resolved': HandoffResolved;
  readonly 'handoff.rated': HandoffRated;
  readonly 'message.created': MessageCreated;
  readonly 'document.ready': DocumentReady;
  readonly 'document.failed': DocumentFailed;
  readonly 'source.synced': SourceSynced;
  readonly 'document.updated': DocumentUpdated;
  readonly 'evaluation.regressed': EvaluationRegressed;
};

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

type TenantFields = {
  readonly organizationId: string;
  readonly projectId: string;
};

type ConversationFields = TenantFields & {
  readonly conversationId: string;
  readonly endUserId: string | null;
};

type HumanRequested = ConversationFields & {
  readonly handoffId: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly reason: string | null;
  readonly requestedAt: string;
  /** Latest messages of the conversation, oldest first. Long contents are cut off and end with `…`. */
  readonly lastMessages: {
    readonly id: string;
    readonly role: string;
    readonly content: string;
    readonly createdAt: string;
  }[];
};

type HandoffUpdated = ConversationFields & {
  readonly handoffId: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly reason: string | null;
  readonly updatedAt: string;
};

type HandoffClaimed = ConversationFields & {
  readonly handoffId: string;
  /**
   * The agent who claimed the handoff: the e-mail address of an operator, `key:` and the name of an API key, or
   * `service`.
   */
  readonly claimedBy: string;
  readonly claimedAt: string;
};

type HandoffResolved = ConversationFields & {
  readonly handoffId: string;
  readonly resolvedAt: string;
};

type HandoffRated = ConversationFields & {
  readonly handoffId: string;
  /** The agent who resolved the handoff, in the same format as `claimedBy`. */
  readonly agent: string;
  /** 1 (very dissatisfied) to 5 (very satisfied). */
  readonly rating: number;
  /** At most 2,000 characters. */
  readonly comment: string | null;
  /** Time of the first rating. Stays the same if the rating is changed later. */
  readonly ratedAt: string;
};

type MessageCreated = ConversationFields & {
  readonly messageId: string;
  readonly role: string;
  /** Content of the message. Long contents are cut off and end with `…`. */
  readonly content: string;
  readonly createdAt: string;
};

type DocumentReady = TenantFields & {
  readonly documentId: string;
  readonly name: string;
  readonly chunkCount: number;
  readonly tokenCount: number;
  readonly processedAt: string;
};

type DocumentFailed = TenantFields & {
  readonly documentId: string;
  readonly name: string;
  readonly error: { readonly code: string; readonly message: string };
  readonly processedAt: string;
};

type DocumentUpdated = TenantFields & {
  readonly documentId: string;
  readonly name: string;
  readonly externalId: string | null;
  readonly status: string;
  /** Version of the content, from 1. */
  readonly version: number;
  /** What has changed: `content`, or the names of fields. */
  readonly changes: string[];
  readonly updatedAt: string;
};

type SourceSynced = TenantFields & {
  readonly sourceId: string;
  readonly runId: string;
  readonly kind: string;
  readonly name: string;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly refused: number;
  /** Why the documents may differ from the source, or null. */
  readonly error: string | null;
  readonly startedAt: string;
  readonly finishedAt: string;
};

type EvaluationRegressed = TenantFields & {
  readonly setId: string;
  readonly setName: string;
  readonly setVersion: number;
  readonly runId: string;
  /** Figures that are worse than their bounds. Empty if the run has failed. */
  readonly failedBounds: {
    readonly figure: string;
    readonly bound: number;
    readonly value: number;
  }[];
  /** Why the run has failed, or null. */
  readonly error: string | null;
  readonly finishedAt: string;
};
