import { createDataLoader } from '../../platform/data-loader.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { lastWord } from '../../text/last-word.ts';
import type { Context } from '../context.ts';
import { filterPart } from '../output-filter/filter-part.ts';
import type { Conversation } from './conversations.ts';
import type { Message } from './messages.ts';

/** The beginning of a message, on one line. */
export interface MessagePreview extends Pick<Message, 'id' | 'role' | 'createdAt'> {
  /** At most `previewLength` characters. */
  readonly text: string;
}

const previewLength = 160;
/**
 * Number of characters that are read from a message. More than `previewLength`, because white space is collapsed later.
 */
const startLength = 1_000;

/**
 * Returns the beginning of the latest message that contains text, or null. Skips messages of the service, such as the
 * holding message. The caller must already have access to the conversation. If several conversations are requested
 * together, one SQL statement reads all of them.
 */
export function getLastMessage(
  context: Context,
  { id, projectId }: Pick<Conversation, 'id' | 'projectId'>,
): Promise<MessagePreview | null> {
  return loadLastMessage(context, projectId, id, async (ids) => {
    const rows = await runSql<MessagePreview & { readonly conversationId: string }>(
      context.db,
      selectLastMessages,
      [projectId, ids, startLength],
    );
    const messages = new Map(
      rows.map(({ conversationId, ...message }) => [
        conversationId,
        { ...message, text: previewOf(message) },
      ]),
    );
    return ids.map((id) => messages.get(id) ?? null);
  });
}

/**
 * Returns the preview of a message. Filters the text of an answer again, because code that is put on one line and cut
 * off can become markup.
 */
function previewOf({ role, text }: Pick<MessagePreview, 'role' | 'text'>): string {
  const line = [...text.replace(/\s+/g, ' ')].slice(0, previewLength).join('');
  if (role !== 'ASSISTANT') return line;
  // If the text was cut off, an address at its end may be incomplete.
  const cutLength = text.length < startLength ? 0 : lastWord(text).length;
  return filterPart(line, [text.slice(0, text.length - cutLength)]);
}

const loadLastMessage = createDataLoader<string, MessagePreview | null>();

const selectLastMessages = `
  select conversation.id as "conversationId", latest.*
  from grounded.conversations conversation
  cross join lateral (
    select message.id, message.role, message.created_at as "createdAt",
      left(message.content, $3::integer) as text
    from grounded.messages message
    where message.project_id = conversation.project_id and message.conversation_id = conversation.id
      and message.content <> '' and message.role <> 'SYSTEM'
    order by message.position desc
    limit 1
  ) latest
  where conversation.project_id = $1::uuid and conversation.id = any ($2::uuid[])`;
