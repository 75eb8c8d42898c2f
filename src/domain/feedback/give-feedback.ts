import { notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { FeedbackRating } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';

/** Rating of an answer, with an optional comment. */
export type MessageFeedback = Prisma.MessageFeedbackGetPayload<object>;

/**
 * Stores the rating of an answer. Replaces the previous rating, if there is one.
 * @throws DomainError from `requireProject`
 * @throws DomainError NOT_FOUND when the message is not an answer of the assistant in the project
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
  await runSql(context.db, upsertFeedback, [messageId, projectId, rating, comment]);
  const feedback = await context.db.messageFeedback.findFirst({ where: { messageId, projectId } });
  if (feedback === null) throw notFound('Answer');
  return feedback;
}

/** The lock makes the statement wait if the answer is being deleted. If the answer was deleted, nothing is inserted. */
const upsertFeedback = `
  with answer as (
    select id, project_id from grounded.messages
    where id = $1::uuid and project_id = $2::uuid and role = 'ASSISTANT'
    for key share
  )
  insert into grounded.message_feedback (message_id, project_id, rating, comment)
  select id, project_id, $3::grounded.feedback_rating, $4::text from answer
  on conflict (message_id) do update
    set rating = excluded.rating, comment = excluded.comment, updated_at = now()`;
