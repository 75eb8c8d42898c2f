import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { FeedbackRating } from '../generated/prisma/enums.ts';
import { isId } from '../ids.ts';
import { requireProject } from '../organizations/require-project.ts';
import { transactionSql } from '../run-sql.ts';

/** What a reader thinks of an answer. */
export type MessageFeedback = Prisma.MessageFeedbackGetPayload<object>;

/**
 * Notes what a reader thinks of an answer, in place of what was noted of it before. Throws what `requireProject`
 * throws, and `NOT_FOUND` for a message that is no answer of the assistant in the project.
 */
export async function giveFeedback(
  context: Context,
  input: {
    readonly projectId?: string | null;
    readonly messageId: string;
    readonly rating: FeedbackRating;
    /** At most 2,000 characters. */
    readonly comment?: string | null;
  },
): Promise<MessageFeedback> {
  const { id: projectId } = await requireProject(context, input.projectId, 'chat');
  const { messageId, rating } = input;
  if (!isId(messageId)) throw notFound('Answer');
  const comment = input.comment?.trim() || null;
  await transactionSql(context.db).query(noteFeedback, [messageId, projectId, rating, comment]);
  const feedback = await context.db.messageFeedback.findFirst({ where: { messageId, projectId } });
  if (feedback === null) throw notFound('Answer');
  return feedback;
}

/** The lock makes it wait for a removal of the answer, and then note nothing. */
const noteFeedback = `
  with answer as (
    select id, project_id from grounded.messages
    where id = $1::uuid and project_id = $2::uuid and role = 'ASSISTANT'
    for key share
  )
  insert into grounded.message_feedback (message_id, project_id, rating, comment)
  select id, project_id, $3::grounded.feedback_rating, $4::text from answer
  on conflict (message_id) do update
    set rating = excluded.rating, comment = excluded.comment, updated_at = now()`;
