import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import type { ConversationStatus, MessageStatus } from '../generated/prisma/enums.ts';
import { isId, newId } from '../ids.ts';
import type { TokenUsage, Turn } from '../models/models.ts';
import type { Citation } from './citations.ts';

/** One question with the place of its answer. */
export interface OpenTurn {
  readonly conversationId: string;
  readonly conversationStatus: ConversationStatus;
  /** The answer's message, still `GENERATING`. */
  readonly messageId: string;
  /** The answer's position in the conversation. */
  readonly position: number;
}

export interface Question {
  readonly projectId: string;
  readonly message: string;
  readonly conversationId: string | null;
  readonly endUserId: string | null;
}

/**
 * Stores the question and keeps the place of its answer right behind it, in one statement, so that two
 * questions at once are answered one below the other. Starts a conversation where none is named.
 * Throws `NOT_FOUND` for a conversation of another project or another end user.
 */
export async function openTurn({ pool }: Context, question: Question): Promise<OpenTurn> {
  const { projectId, message, conversationId, endUserId } = question;
  if (conversationId !== null && !isId(conversationId)) throw notFound('Conversation');
  const messageId = newId();
  const values = [conversationId ?? newId(), projectId, endUserId, newId(), messageId, message];
  const { rows } = await pool.query<Omit<OpenTurn, 'messageId'>>(
    conversationId === null
      ? {
          name: 'start-conversation',
          text: startConversation,
          values: [...values, titleOf(message)],
        }
      : { name: 'continue-conversation', text: continueConversation, values },
  );
  const [opened] = rows;
  if (opened === undefined) throw notFound('Conversation');
  return { ...opened, messageId };
}

/** What was said before the turn, oldest first, as far back as is useful to the model. */
export async function readHistory({ db }: Context, turn: OpenTurn): Promise<readonly Turn[]> {
  const messages = await db.message.findMany({
    where: {
      conversationId: turn.conversationId,
      position: { lt: turn.position - 1 },
      role: { in: ['USER', 'ASSISTANT', 'AGENT'] },
      content: { not: '' },
    },
    orderBy: { position: 'desc' },
    take: historyMessages,
    select: { role: true, content: true },
  });
  return messages
    .reverse()
    .flatMap(({ role, content }) => (role === 'SYSTEM' ? [] : [{ role, content }]));
}

export interface FinishedAnswer {
  readonly status: Exclude<MessageStatus, 'GENERATING'>;
  readonly content: string;
  readonly citations: readonly Citation[];
  readonly confidence: number;
  readonly latencyMs: number;
  readonly model: string | null;
  readonly usage: TokenUsage;
}

/** Puts the answer in its place. */
export async function closeTurn(
  { pool }: Pick<Context, 'pool'>,
  { messageId }: OpenTurn,
  answer: FinishedAnswer,
): Promise<void> {
  await pool.query({
    name: 'close-turn',
    text: `
      update grounded.messages
      set status = $2::grounded.message_status, content = $3, citations = $4, confidence = $5, latency_ms = $6,
        model = $7, input_tokens = $8, output_tokens = $9, updated_at = now()
      where id = $1 and status = 'GENERATING'`,
    values: [
      messageId,
      answer.status,
      answer.content,
      JSON.stringify(answer.citations),
      answer.confidence,
      answer.latencyMs,
      answer.model,
      answer.usage.inputTokens,
      answer.usage.outputTokens,
    ],
  });
}

/** Longer than any answer may take. */
const staleAfterMinutes = 15;

/** Ends answers whose process died while it generated them: those of this age. */
export async function closeStaleAnswers(
  { pool }: Pick<Context, 'pool'>,
  olderThanMinutes = staleAfterMinutes,
): Promise<void> {
  await pool.query(
    `update grounded.messages set status = 'FAILED', updated_at = now()
     where status = 'GENERATING' and updated_at <= now() - make_interval(mins => $1)`,
    [olderThanMinutes],
  );
}

const historyMessages = 12;

const messageRows = `
  insert into grounded.messages (id, conversation_id, project_id, position, role, status, content)
  select message.id, conversation.id, conversation.project_id, conversation.message_count + message.shift,
    message.role, message.status, message.content
  from conversation, (values
    ($4::uuid, -1, 'USER'::grounded.message_role, 'COMPLETED'::grounded.message_status, $6::text),
    ($5::uuid, 0, 'ASSISTANT', 'GENERATING', '')
  ) as message (id, shift, role, status, content)
  returning conversation_id as "conversationId", position,
    (select status from conversation) as "conversationStatus"`;

const openedTurn = `select * from written order by position desc limit 1`;

const startConversation = `
  with conversation as (
    insert into grounded.conversations (id, project_id, end_user_id, title, message_count)
    values ($1, $2, $3, $7, 2)
    returning id, project_id, status, message_count
  ), written as (${messageRows})
  ${openedTurn}`;

/** The row lock of the conversation puts writers in line; the count it returns numbers their messages. */
const continueConversation = `
  with conversation as (
    update grounded.conversations
    set message_count = message_count + 2, last_message_at = now(), updated_at = now(),
      end_user_id = coalesce(end_user_id, $3),
      status = case when status = 'RESOLVED' then 'OPEN' else status end
    where id = $1 and project_id = $2 and ($3::text is null or end_user_id is null or end_user_id = $3)
    returning id, project_id, status, message_count
  ), written as (${messageRows})
  ${openedTurn}`;

/** The first words of the first question. */
function titleOf(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= 80 ? line : `${characters.slice(0, 79).join('')}…`;
}
