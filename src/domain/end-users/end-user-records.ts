import type { Context } from '../context.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { isKeptAbout } from './erase-batch.ts';

/** What is kept about conversations outside of them. */
export interface EndUserRecords {
  readonly inboxEvents: readonly InboxEvent[];
  readonly webhookEvents: readonly WebhookEvent[];
  /** Answers that are kept for requests with an `Idempotency-Key`. */
  readonly keptAnswers: readonly KeptAnswer[];
}

interface InboxEvent {
  readonly handoffId: string;
  readonly type: string;
  readonly createdAt: Date;
}

interface KeptAnswer {
  readonly keptAt: Date;
  readonly expiresAt: Date;
  readonly body: string;
}

const withDeliveries = {
  include: {
    deliveries: {
      orderBy: { id: 'asc' },
      include: { endpoint: { select: { url: true } }, log: { orderBy: { number: 'asc' } } },
    },
  },
} as const satisfies Prisma.WebhookEventFindManyArgs;

type WebhookEvent = Prisma.WebhookEventGetPayload<typeof withDeliveries>;

/** The records of these conversations, oldest first. */
export async function readRecords(
  { db, pool }: Pick<Context, 'db' | 'pool'>,
  projectId: string,
  conversationIds: readonly string[],
): Promise<EndUserRecords> {
  const values = [projectId, conversationIds];
  const inboxEvents = await pool.query<InboxEvent>(selectInboxEvents, values);
  const keptAnswers = await pool.query<KeptAnswer>(selectKeptAnswers, values);
  const events = await pool.query<{ id: string }>(selectWebhookEvents, values);
  const webhookEvents = await db.webhookEvent.findMany({
    ...withDeliveries,
    where: { projectId, id: { in: events.rows.map(({ id }) => id) } },
    orderBy: { id: 'asc' },
  });
  return {
    inboxEvents: inboxEvents.rows,
    webhookEvents,
    keptAnswers: keptAnswers.rows,
  };
}

const selectInboxEvents = `
  select event.handoff_id as "handoffId", event.type::text, event.created_at as "createdAt"
  from grounded.inbox_events event join grounded.handoffs handoff on handoff.id = event.handoff_id
  where event.project_id = $1 and handoff.conversation_id = any($2::uuid[])
  order by event.position`;

const selectWebhookEvents = `
  select id from grounded.webhook_events
  where project_id = $1 and data ->> 'conversationId' = any($2::text[])`;

const selectKeptAnswers = `
  select created_at as "keptAt", expires_at as "expiresAt", body
  from grounded.idempotency_keys
  where ${isKeptAbout}
  order by created_at, idempotency_key`;
