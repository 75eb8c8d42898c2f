import { createCallBatcher } from '../../platform/call-batcher.ts';
import { notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { oncePerObject } from '../../platform/once-per-object.ts';
import { isRefusedStatement } from '../../platform/postgres/refused-statement.ts';
import { runSql, type SqlClient } from '../../platform/postgres/run-sql.ts';
import { tenantOf } from '../caller-tenant.ts';
import type { Context } from '../context.ts';
import {
  claimSteps,
  claimValues,
  noClaimSteps,
  requireHeldClaim,
  type StatementSteps,
} from '../idempotency/idempotent-effect.ts';
import type { Project } from '../organizations/find-project.ts';
import { type ProjectRow, projectColumns, toProject } from '../organizations/find-project.ts';
import { consumedOnDay, consumeMessageSql, messageQuotaExceeded } from '../usage/message-quota.ts';
import { incrementDaySql } from '../usage/usage-sql.ts';
import type { EndUserContact } from './chat-input.ts';
import type { InsertedTurn } from './insert-turn.ts';

export interface FirstQuestion {
  readonly message: string;
  readonly endUserId: string | null;
  /** Contact data of the end user. Null if no website has verified the `endUserId`. */
  readonly verifiedEndUser?: EndUserContact | null;
  /** Whether generation continues after the client disconnects. */
  readonly isResumable: boolean;
}

export interface StartedConversation {
  readonly project: Project;
  readonly turn: InsertedTurn;
}

/**
 * Inserts a conversation with its first turn, consumes one message of the monthly allowance and reads the project, with
 * one SQL statement. Conversations that start in a project at the same time share one statement. Separate statements
 * would wait for each other at the row of the allowance.
 *
 * The statement also records the answer as the effect of the request's `Idempotency-Key`.
 *
 * @throws DomainError IDEMPOTENCY_KEY_IN_USE when another process has taken over the request. Nothing is stored.
 * @throws DomainError NOT_FOUND when the organization has no such project. Nothing is stored.
 * @throws DomainError QUOTA_EXCEEDED when the allowance is used up. Nothing is stored.
 */
export async function startConversation(
  context: Pick<Context, 'pool' | 'database' | 'caller' | 'channel' | 'claimedKey'>,
  project: Pick<Project, 'id' | 'organizationId'>,
  question: FirstQuestion,
): Promise<StartedConversation> {
  const { pool, database, caller, channel, claimedKey } = context;
  // Create the ids in this order, because each new id is higher than the one before.
  const ids = { conversationId: newId(), questionId: newId(), messageId: newId() };
  const askedByKey = caller.type === 'key' ? caller.keyId : null;
  const first = { ...question, pool, project, channel, askedByKey, ...ids };
  if (claimedKey === null) {
    const result = await batcherOf(database).call(`${tenantOf(caller)} ${project.id}`, first);
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  }
  const started = await insertAll([first], statements.claimed, claimValues(claimedKey));
  if (!started?.isInserted) await requireHeldClaim(context);
  return startedOf(first, started);
}

interface FirstTurn extends FirstQuestion {
  readonly pool: SqlClient;
  readonly project: Pick<Project, 'id' | 'organizationId'>;
  readonly channel: Context['channel'];
  readonly askedByKey: string | null;
  readonly conversationId: string;
  readonly questionId: string;
  readonly messageId: string;
}

const maxBatch = 100;

type StartResult = PromiseSettledResult<StartedConversation>;

const batcherOf = oncePerObject((_: Context['database']) =>
  createCallBatcher(startAll, { maxBatch }),
);

/**
 * Inserts all turns or none. If the allowance is too small for all turns, or Postgres refuses the statement, each turn
 * is inserted separately, in the order of arrival. The next batch waits for all of them, so that no later turn consumes
 * their allowance.
 */
async function startAll(turns: readonly FirstTurn[]): Promise<readonly StartResult[]> {
  const started = await insertAll(turns).catch((error: unknown) => {
    if (turns.length > 1 && isRefusedStatement(error)) return null;
    throw error;
  });
  if (turns.length === 1 || started?.isInserted || started === undefined) {
    return Promise.allSettled(turns.map(async (turn) => startedOf(turn, started ?? undefined)));
  }
  const results: StartResult[] = [];
  for (const turn of turns) results.push(...(await Promise.allSettled([startAlone(turn)])));
  return results;
}

async function startAlone(turn: FirstTurn): Promise<StartedConversation> {
  return startedOf(turn, await insertAll([turn]));
}

interface StartedRow extends ProjectRow {
  /** False if the allowance is used up, or another process has taken over the request. */
  readonly isInserted: boolean;
}

function startedOf(
  { conversationId, messageId }: FirstTurn,
  row: StartedRow | undefined,
): StartedConversation {
  if (row === undefined) throw notFound('Project');
  const { isInserted, ...project } = row;
  if (!isInserted) throw messageQuotaExceeded();
  const turn = { conversationId, messageId, position: 2, isAgentOwned: false };
  return { project: toProject(project), turn };
}

async function insertAll(
  turns: readonly FirstTurn[],
  statement = statements.plain,
  claimedValues: readonly string[] = [],
): Promise<StartedRow | undefined> {
  const [first] = turns;
  if (first === undefined) return undefined;
  const [started] = await runSql<StartedRow>(first.pool, statement, [
    first.project.id,
    first.project.organizationId,
    turns.map(({ conversationId }) => conversationId),
    turns.map(({ questionId }) => questionId),
    turns.map(({ messageId }) => messageId),
    turns.map(({ endUserId }) => endUserId),
    turns.map(({ message }) => message),
    turns.map(({ isResumable }) => isResumable),
    turns.map(({ message }) => titleOf(message)),
    turns.map(({ verifiedEndUser }) => verifiedEndUser != null),
    turns.map(({ verifiedEndUser }) => verifiedEndUser?.name ?? null),
    turns.map(({ verifiedEndUser }) => verifiedEndUser?.email ?? null),
    turns.map(({ channel }) => channel),
    turns.map(({ askedByKey }) => askedByKey),
    ...claimedValues,
  ]);
  return started;
}

const claim = claimSteps(15, { effect: 'conversation', effectIdSql: '($5::uuid[])[1]' });

const statements = {
  plain: { name: 'start-conversation', text: buildStatement(noClaimSteps) },
  claimed: { name: 'start-conversation-once', text: buildStatement(claim) },
};

function buildStatement({ lock, from, record }: StatementSteps): string {
  return `
  with ${lock}project as (
    select * from grounded.projects where id = $1::uuid and organization_id = $2::uuid
  ), first_turn as (
    select * from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::boolean[], $9::text[],
        $10::boolean[], $11::text[], $12::text[], $13::grounded.conversation_channel[],
        $14::uuid[])
      as first_turn (conversation_id, question_id, answer_id, end_user_id, content, is_resumable, title,
        is_end_user_verified, end_user_name, end_user_email, channel, asked_by_key)
  ), clock as (
    select now()::timestamptz(3) as written_at from project${from}
  ), allowance as (${consumeMessageSql({
    organizationSql: '$2::uuid',
    from: 'clock',
    timestampSql: 'written_at',
    countSql: 'cardinality($3::uuid[])',
  })}
  ), counted_day as (${incrementDaySql(consumedOnDay, ['messages'])}
  ), conversation as (
    insert into grounded.conversations (id, project_id, end_user_id, is_end_user_verified, end_user_name,
      end_user_email, title, channel, message_count)
    select conversation_id, $1::uuid, end_user_id, is_end_user_verified, end_user_name, end_user_email, title, channel, 2
    from first_turn, allowance
    returning id, project_id
  ), written as (
    insert into grounded.messages
      (id, conversation_id, project_id, position, role, status, content, is_resumable, asked_by_key,
        lease_renewed_at)
    select message.id, conversation.id, project_id, message.position, message.role, message.status,
      message.content, message.is_resumable, message.asked_by_key, message.lease_renewed_at
    from conversation join first_turn on first_turn.conversation_id = conversation.id
    cross join lateral (values
      (question_id, 1, 'USER'::grounded.message_role, 'COMPLETED'::grounded.message_status,
        first_turn.content, false, null, null),
      (answer_id, 2, 'ASSISTANT', 'GENERATING', '', first_turn.is_resumable, first_turn.asked_by_key, now())
    ) as message (id, position, role, status, content, is_resumable, asked_by_key, lease_renewed_at)
  )${record}
  select ${projectColumns('project')}, coalesce(allowance.is_consumed, false) as "isInserted"
  from project left join allowance on true`;
}

/** Returns the title of a conversation: the start of its first question, at most 80 characters. */
function titleOf(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= 80 ? line : `${characters.slice(0, 79).join('')}…`;
}
