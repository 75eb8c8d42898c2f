import type { Context } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import { isId, newId } from '../ids.ts';
import type { Project } from '../organizations/require-project.ts';
import { countDay, dayOf, monthlyMessages, monthOf } from '../usage/usage-sql.ts';

/** One question with the place of its answer. */
export interface OpenTurn {
  readonly conversationId: string;
  /** The answer's message: still `GENERATING`, or while a person has the conversation what holds the end user. */
  readonly messageId: string;
  /** The last position in the conversation, which is the answer's where there is to be one. */
  readonly position: number;
  /** A person has the conversation: the assistant says nothing but `holdingText`. */
  readonly isHeld: boolean;
}

export interface Question {
  readonly message: string;
  readonly conversationId: string | null;
  readonly endUserId: string | null;
  /** What an end user is told while a person has the conversation. */
  readonly holdingText: string;
  /** Whether the answer goes on without its reader. */
  readonly isResumable: boolean;
}

/**
 * Stores the question and keeps the place of its answer right behind it, in one statement, so that two
 * questions at once are answered one below the other. Takes one message from the organization's monthly
 * allowance, exactly, however many ask at once. Starts a conversation where none is named.
 *
 * While a person has the conversation nothing is taken from the allowance: the question goes to the inbox, and
 * the first one since the person last spoke is followed by the holding text. Where another text is in
 * force at a later one of the same wait, that message changes to it: there is never a second.
 *
 * Throws `NOT_FOUND` for a conversation of another project or another end user, and `QUOTA_EXCEEDED`; nothing is
 * stored then.
 */
export async function openTurn(
  { pool }: Pick<Context, 'pool'>,
  project: Pick<Project, 'id' | 'organizationId'>,
  question: Question,
): Promise<OpenTurn> {
  const { message, conversationId, endUserId } = question;
  if (conversationId !== null && !isId(conversationId)) throw notFound('Conversation');
  const values = [
    conversationId ?? newId(),
    project.id,
    project.organizationId,
    endUserId,
    newId(),
    newId(),
    message,
    question.isResumable,
    conversationId === null ? titleOf(message) : question.holdingText,
  ];
  const { rows } = await pool.query<Opened>(
    conversationId === null
      ? { name: 'start-conversation', text: startConversation, values }
      : { name: 'continue-conversation', text: continueConversation, values },
  );
  const [opened] = rows;
  if (opened === undefined) throw notFound('Conversation');
  const { position, messageId, isHeld } = opened;
  if (position === null) {
    throw new DomainError('QUOTA_EXCEEDED', "The plan's monthly message allowance is used up");
  }
  return { conversationId: opened.conversationId, messageId, position, isHeld };
}

interface Opened {
  readonly conversationId: string;
  readonly messageId: string;
  /** Null where the allowance is used up. */
  readonly position: number | null;
  readonly isHeld: boolean;
}

/** A row if one more message was free, which is taken then. `from` gives a row where one is to be taken. */
const takeMessage = (from: string, moment: string) => `
    insert into grounded.usage_periods as period (organization_id, starts_on, messages)
    select $3::uuid, ${monthOf(moment)}, 1
    from ${from}
    where ${monthlyMessages('$3::uuid')} > 0
    on conflict (organization_id, starts_on) do update set messages = period.messages + 1
      where period.messages < ${monthlyMessages('$3::uuid')}
    returning organization_id, 1 as messages, true as is_taken`;

const takenOnDay = `(
    select organization_id, ${dayOf('written_at')} as day, messages from allowance, moment) as taken`;

const startConversation = `
  with moment as (
    select now()::timestamptz(3) as written_at
  ), allowance as (${takeMessage('moment', 'written_at')}
  ), counted_day as (${countDay(takenOnDay, ['messages'])}
  ), conversation as (
    insert into grounded.conversations (id, project_id, end_user_id, title, message_count)
    select $1::uuid, $2::uuid, $4::text, $9::text, 2 from allowance
    returning id, project_id, message_count
  ), written as (
    insert into grounded.messages
      (id, conversation_id, project_id, position, role, status, content, is_resumable, alive_at)
    select message.id, conversation.id, project_id, message.position, message.role, message.status,
      message.content, message.is_resumable, message.alive_at
    from conversation, (values
      ($5::uuid, 1, 'USER'::grounded.message_role, 'COMPLETED'::grounded.message_status, $7::text, false, null),
      ($6::uuid, 2, 'ASSISTANT', 'GENERATING', '', $8::boolean, now())
    ) as message (id, position, role, status, content, is_resumable, alive_at)
  )
  select $1::uuid as "conversationId", $6::uuid as "messageId", false as "isHeld",
    (select message_count from conversation) as position`;

/**
 * `place` locks the conversation, which puts its writers in line; the count that `conversation` returns numbers their
 * messages, and the clock is read once it is their turn, so that moments follow the numbers. Later steps join the
 * earlier ones and never ask for them in a subquery: Postgres cannot look again at a step that writes when a row it
 * waited for has changed.
 */
const continueConversation = `
  with place as (
    select id, status = 'HUMAN' as is_held
    from grounded.conversations
    where id = $1 and project_id = $2 and ($4::text is null or end_user_id is null or end_user_id = $4)
    for update
  ), moment as (
    select id, is_held, clock_timestamp()::timestamptz(3) as written_at from place
  ), allowance as (${takeMessage('(select written_at from moment where not is_held) as moment', 'written_at')}
  ), counted_day as (${countDay(takenOnDay, ['messages'])}
  ), conversation as (
    update grounded.conversations as conversation
    set message_count = message_count + case when moment.is_held and holding_message_id is not null then 1 else 2 end,
      last_message_at = moment.written_at, updated_at = moment.written_at,
      end_user_id = coalesce(end_user_id, $4),
      status = case when status = 'RESOLVED' then 'OPEN' else status end,
      holding_message_id = case when moment.is_held then coalesce(holding_message_id, $6::uuid) end
    from moment left join allowance on true
    where conversation.id = moment.id and (moment.is_held or allowance.is_taken)
    returning conversation.id, project_id, message_count, moment.is_held, moment.written_at,
      coalesce(holding_message_id, $6::uuid) as answer_id
  ), written as (
    insert into grounded.messages (id, conversation_id, project_id, position, role, status, content, is_resumable,
      alive_at, created_at, updated_at)
    select $5::uuid, id, project_id, message_count - case when answer_id = $6::uuid then 1 else 0 end,
      'USER'::grounded.message_role, 'COMPLETED'::grounded.message_status, $7::text, false, null, written_at, written_at
    from conversation
    union all
    select $6::uuid, id, project_id, message_count,
      case when is_held then 'SYSTEM' else 'ASSISTANT' end::grounded.message_role,
      case when is_held then 'COMPLETED' else 'GENERATING' end::grounded.message_status,
      case when is_held then $9::text else '' end, $8::boolean and not is_held,
      case when is_held then null else written_at end, written_at, written_at
    from conversation
    where answer_id = $6::uuid
  ), told_anew as (
    update grounded.messages as message set content = $9::text, updated_at = now()
    from conversation
    where message.id = conversation.answer_id and message.conversation_id = conversation.id
      and conversation.is_held and message.content <> $9::text
  ), inbox as (
    update grounded.projects as project set inbox_position = inbox_position + 1
    from conversation join grounded.handoffs handoff
      on handoff.conversation_id = conversation.id and handoff.status <> 'RESOLVED'
    where project.id = conversation.project_id and conversation.is_held
    returning project.id, project.inbox_position, handoff.id as handoff_id
  ), told as (
    insert into grounded.inbox_events (project_id, position, type, handoff_id, message_id)
    select id, inbox_position, 'MESSAGE', handoff_id, $5::uuid from inbox
  )
  select moment.id as "conversationId", moment.is_held as "isHeld", conversation.message_count as position,
    conversation.answer_id as "messageId"
  from moment left join conversation on true`;

/** The first words of the first question. */
function titleOf(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= 80 ? line : `${characters.slice(0, 79).join('')}…`;
}
