import { type Context, transaction } from '../context.ts';
import { transactionSql } from '../run-sql.ts';
import type { Sql } from '../sql.ts';

export interface EndUser {
  readonly projectId: string;
  readonly endUserId: string;
}

/** How much was removed of each kind. */
export type Erased = Readonly<Record<keyof typeof removals, number>>;

/**
 * Removes some of an end user's conversations with whatever tells of them, all in one transaction. `EMPTY` where
 * there is none left. `BUSY`, and nothing removed, while something may still be written about them.
 */
export async function eraseBatch(
  context: Context,
  { projectId, endUserId }: EndUser,
): Promise<Partial<Erased> | 'EMPTY' | 'BUSY'> {
  return transaction(context, async ({ db }) => {
    const sql = transactionSql(db);
    const locked = await sql.query(lockBatch, [projectId, endUserId, batchMessages]);
    if (locked.length === 0) return 'EMPTY';
    const ids = locked.map(({ id }) => String(id));
    const [state] = await sql.query(findWriters, [projectId, ids]);
    if (state?.isBusy !== false) return 'BUSY';
    const erased: Partial<Record<keyof Erased, number>> = {};
    for (const [kind, statement] of Object.entries(removals)) {
      erased[kind as keyof Erased] = await remove(sql, statement, [projectId, ids]);
    }
    return erased;
  });
}

/** At least one conversation, and as many more as have this many messages together. */
const batchMessages = 2_000;

/** Whoever writes into a conversation locks its row first or refers to it, and so waits until it is gone. */
const lockBatch = `
  select id from grounded.conversations
  where project_id = $1::uuid and id in (
    select id from (
      select id, sum(message_count) over (order by id) - message_count as messages_before
      from grounded.conversations where project_id = $1::uuid and end_user_id = $2
    ) as conversation
    where messages_before < $3::integer
    order by id limit 500)
  order by id
  for update`;

const keysOfProject = `
  key_id in (
    select key.id from grounded.api_keys key join grounded.projects project
      on project.id = $1::uuid and project.organization_id = key.organization_id
    where key.project_id is null or key.project_id = project.id)`;

/** Kept answers are known by what they begin with; an end user's own quotes are escaped and do not match. */
export const isKeptAbout = `
  ${keysOfProject} and substring(body from '"conversationId":"([0-9a-f-]{36})"') = any($2::text[])`;

/**
 * An answer that is generated would come back, and so would one that a request is about to keep under its
 * `Idempotency-Key`. Which request asks what is not known, but it claimed its key before its message was stored.
 */
const findWriters = `
  select exists (
    select from grounded.messages
    where project_id = $1::uuid and conversation_id = any($2::uuid[]) and status = 'GENERATING'
  ) or exists (
    select from grounded.idempotency_keys
    where ${keysOfProject} and status is null and expires_at > now()
      and created_at <= (select max(last_message_at) from grounded.conversations
        where project_id = $1::uuid and id = any($2::uuid[]))
  ) as "isBusy"`;

const ofMessages = `
  message_id in (
    select id from grounded.messages where project_id = $1::uuid and conversation_id = any($2::uuid[]))`;
const ofWebhookEvents = `
  select delivery.id from grounded.webhook_deliveries delivery
    join grounded.webhook_events event on event.id = delivery.event_id
  where event.project_id = $1::uuid and event.data ->> 'conversationId' = any($2::text[])`;

/**
 * What is removed, in this order. Events and kept answers come after the rows that their writers hold, so that none
 * which is just being committed is overlooked. A receiver's response and the error of a job may repeat what was sent.
 */
const removals = {
  streamEvents: `delete from grounded.answer_events where ${ofMessages}`,
  feedback: `delete from grounded.message_feedback where project_id = $1::uuid and ${ofMessages}`,
  inboxEvents: `
    delete from grounded.inbox_events
    where project_id = $1::uuid and handoff_id in (
      select id from grounded.handoffs where project_id = $1::uuid and conversation_id = any($2::uuid[]))`,
  handoffs: `
    delete from grounded.handoffs where project_id = $1::uuid and conversation_id = any($2::uuid[])`,
  messages: `
    delete from grounded.messages where project_id = $1::uuid and conversation_id = any($2::uuid[])`,
  conversations: `
    delete from grounded.conversations where project_id = $1::uuid and id = any($2::uuid[])`,
  webhookAttempts: `
    delete from grounded.webhook_attempts where delivery_id in (${ofWebhookEvents})`,
  jobs: `
    delete from grounded_jobs.job
    where name = 'deliver-webhook' and (data ->> 'deliveryId')::uuid in (${ofWebhookEvents})`,
  webhookDeliveries: `
    delete from grounded.webhook_deliveries
    where project_id = $1::uuid and id in (${ofWebhookEvents})`,
  webhookEvents: `
    delete from grounded.webhook_events
    where project_id = $1::uuid and data ->> 'conversationId' = any($2::text[])`,
  keptAnswers: `
    delete from grounded.idempotency_keys
    where ${isKeptAbout}`,
} as const;

async function remove(
  sql: Sql,
  statement: string,
  values: readonly [string, readonly string[]],
): Promise<number> {
  const [row] = await sql.query(
    `with removed as (${statement} returning true)
     select count(*)::integer as count from removed`,
    values,
  );
  return Number(row?.count);
}
