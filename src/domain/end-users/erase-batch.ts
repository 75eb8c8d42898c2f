import { runSql, type SqlClient } from '../../platform/postgres/run-sql.ts';
import { type Context, transaction } from '../context.ts';
import { eraseQuestionsOf } from '../evaluation/origin-of-questions.ts';

export interface EndUserRef {
  readonly projectId: string;
  readonly endUserId: string;
}

/** Number of deleted rows of each kind. */
export type EraseCounts = Readonly<Record<keyof typeof deleteStatements | 'questions', number>>;

/**
 * Deletes a batch of an end user's conversations and all records about them, in one transaction. Returns `EMPTY` if no
 * conversation is left. Returns `BUSY` if a request may still write to one of these conversations, and then deletes
 * nothing.
 */
export async function eraseBatch(
  context: Context,
  { projectId, endUserId }: EndUserRef,
): Promise<Partial<EraseCounts> | 'EMPTY' | 'BUSY'> {
  return transaction(
    context,
    async ({ db }) => {
      const values = [projectId, endUserId, maxBatchMessages];
      const locked = await runSql<{ id: string }>(db, lockBatchSql, values);
      if (locked.length === 0) return 'EMPTY';
      const ids = locked.map(({ id }) => id);
      const [state] = await runSql<{ isBusy: boolean }>(db, activeWritersSql, [projectId, ids]);
      if (state?.isBusy !== false) return 'BUSY';
      const questions = await eraseQuestionsOf(db, projectId, ids);
      const erased: Partial<Record<keyof EraseCounts, number>> = { questions };
      for (const [kind, statement] of Object.entries(deleteStatements)) {
        erased[kind as keyof EraseCounts] = await deleteAndCount(db, statement, [projectId, ids]);
      }
      return erased;
    },
    { isRemoval: true },
  );
}

/**
 * A batch with at least this many messages takes no further conversation. Its last conversation may exceed the number,
 * because conversations are not split.
 */
const maxBatchMessages = 2_000;

/**
 * Locks the conversations. Every writer locks or references the conversation's row first, and therefore waits for
 * the deletion.
 */
const lockBatchSql = `
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

const projectKeysFilterSql = `
  key_id in (
    select key.id from grounded.api_keys key join grounded.projects project
      on project.id = $1::uuid and project.organization_id = key.organization_id
    where key.project_id is null or key.project_id = project.id)`;

/**
 * Finds stored responses by the `conversationId` in their JSON. A text of an end user that looks like this field never
 * matches, because its quotes are escaped.
 */
export const storedResponsesFilterSql = `
  ${projectKeysFilterSql} and substring(body from '"conversationId":"([0-9a-f-]{36})"') = any($2::text[])`;

/**
 * Whether a request may still write to these conversations: an answer is running, or a request with an
 * `Idempotency-Key` is not finished. Which conversation such a request belongs to is unknown, so any of the project
 * counts. A request that claimed its key after the last message does not count: it claims the key before it stores a
 * message, so it has written nothing here yet.
 */
const activeWritersSql = `
  select exists (
    select from grounded.messages
    where project_id = $1::uuid and conversation_id = any($2::uuid[]) and status = 'GENERATING'
  ) or exists (
    select from grounded.idempotency_keys
    where ${projectKeysFilterSql} and status is null and expires_at > now()
      and (leased_until is null or leased_until > now())
      and created_at <= (select max(last_message_at) from grounded.conversations
        where project_id = $1::uuid and id = any($2::uuid[]))
  ) as "isBusy"`;

const messagesFilterSql = `
  message_id in (
    select id from grounded.messages where project_id = $1::uuid and conversation_id = any($2::uuid[]))`;
const webhookDeliveriesSql = `
  select delivery.id from grounded.webhook_deliveries delivery
    join grounded.webhook_events event on event.id = delivery.event_id
  where event.project_id = $1::uuid and event.data ->> 'conversationId' = any($2::text[])`;

/**
 * Statements in execution order. Events and stored responses are deleted after the rows that their writers lock, so
 * that rows committed in the meantime are also deleted. Includes delivery attempts and jobs, because the responses of
 * webhook receivers and the errors of jobs may contain the data.
 */
const deleteStatements = {
  streamEvents: `delete from grounded.answer_events where ${messagesFilterSql}`,
  feedback: `delete from grounded.message_feedback where project_id = $1::uuid and ${messagesFilterSql}`,
  inboxEvents: `
    delete from grounded.inbox_events
    where project_id = $1::uuid and handoff_id in (
      select id from grounded.handoffs where project_id = $1::uuid and conversation_id = any($2::uuid[]))`,
  satisfaction: `
    delete from grounded.handoff_satisfaction
    where project_id = $1::uuid and handoff_id in (
      select id from grounded.handoffs where project_id = $1::uuid and conversation_id = any($2::uuid[]))`,
  handoffs: `
    delete from grounded.handoffs where project_id = $1::uuid and conversation_id = any($2::uuid[])`,
  notes: `
    delete from grounded.conversation_notes where project_id = $1::uuid and conversation_id = any($2::uuid[])`,
  messages: `
    delete from grounded.messages where project_id = $1::uuid and conversation_id = any($2::uuid[])`,
  conversations: `
    delete from grounded.conversations where project_id = $1::uuid and id = any($2::uuid[])`,
  webhookAttempts: `
    delete from grounded.webhook_attempts where delivery_id in (${webhookDeliveriesSql})`,
  jobs: `
    delete from grounded_jobs.job
    where name = 'deliver-webhook' and (data ->> 'deliveryId')::uuid in (${webhookDeliveriesSql})`,
  webhookDeliveries: `
    delete from grounded.webhook_deliveries
    where project_id = $1::uuid and id in (${webhookDeliveriesSql})`,
  webhookEvents: `
    delete from grounded.webhook_events
    where project_id = $1::uuid and data ->> 'conversationId' = any($2::text[])`,
  keptAnswers: `
    delete from grounded.idempotency_keys
    where ${storedResponsesFilterSql}`,
} as const;

async function deleteAndCount(
  db: SqlClient,
  statement: string,
  values: readonly [string, readonly string[]],
): Promise<number> {
  const [row] = await runSql<{ count: number }>(
    db,
    `with removed as (${statement} returning true)
     select count(*)::integer as count from removed`,
    values,
  );
  return row?.count ?? 0;
}
