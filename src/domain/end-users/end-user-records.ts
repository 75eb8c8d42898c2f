import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { listQuestionsOf, type QuestionOfConversation } from '../evaluation/origin-of-questions.ts';
import { storedResponsesFilterSql } from './erase-batch.ts';

/** Records that belong to an end user's conversations but are stored in other tables. */
export interface EndUserRecords {
  readonly inboxEvents: readonly InboxEvent[];
  readonly webhookEvents: readonly WebhookEvent[];
  /** Questions of sets that were taken from the conversations. */
  readonly setQuestions: readonly QuestionOfConversation[];
  /** Responses stored for requests with an `Idempotency-Key`. */
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

/** Returns the records of the given conversations, oldest first. */
export async function listEndUserRecords(
  { db, pool }: Pick<Context, 'db' | 'pool'>,
  projectId: string,
  conversationIds: readonly string[],
): Promise<EndUserRecords> {
  const values = [projectId, conversationIds];
  const inboxEvents = await runSql<InboxEvent>(pool, selectInboxEvents, values);
  const setQuestions = await listQuestionsOf(pool, projectId, conversationIds);
  const keptAnswers = await runSql<KeptAnswer>(pool, selectKeptAnswers, values);
  const events = await runSql<{ id: string }>(pool, selectWebhookEvents, values);
  const webhookEvents = await db.webhookEvent.findMany({
    ...withDeliveries,
    where: { projectId, id: { in: events.map(({ id }) => id) } },
    orderBy: { id: 'asc' },
  });
  return { inboxEvents, webhookEvents, setQuestions, keptAnswers };
}

/** Selects inbox events. Omits events of notes and of other changes that only the team sees (`inboxEventType`). */
const selectInboxEvents = `
  select event.handoff_id as "handoffId", event.type::text, event.created_at as "createdAt"
  from grounded.inbox_events event join grounded.handoffs handoff on handoff.id = event.handoff_id
  where event.project_id = $1 and handoff.conversation_id = any($2::uuid[])
    and (event.type <> 'MESSAGE' or event.message_id is not null)
  order by event.position`;

const selectWebhookEvents = `
  select id from grounded.webhook_events
  where project_id = $1 and data ->> 'conversationId' = any($2::text[])`;

const selectKeptAnswers = `
  select created_at as "keptAt", expires_at as "expiresAt", body
  from grounded.idempotency_keys
  where ${storedResponsesFilterSql}
  order by created_at, idempotency_key`;
