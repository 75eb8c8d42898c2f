import { createDataLoader } from '../../platform/data-loader.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import type { Conversation } from './conversations.ts';

/** Confidence and ratings of the answers of a conversation. */
export interface AnswerSummary {
  /** Lowest confidence of the completed answers, without small talk. Null if there are no such answers. */
  readonly lowestConfidence: number | null;
  readonly answersRatedUp: number;
  readonly answersRatedDown: number;
}

/**
 * Returns the summary of a conversation's answers. The caller must already have access to the conversation. If several
 * conversations are requested together, one SQL statement reads all of them.
 */
export function getAnswerSummary(
  context: Context,
  { id, projectId }: Pick<Conversation, 'id' | 'projectId'>,
): Promise<AnswerSummary> {
  return loadAnswerSummary(context, projectId, id, async (ids) => {
    const rows = await runSql<AnswerSummary & { readonly conversationId: string }>(
      context.db,
      selectAnswerSummaries,
      [projectId, [...new Set(ids)]],
    );
    const summaries = new Map(
      rows.map(({ conversationId, ...summary }) => [conversationId, summary]),
    );
    return ids.map((id) => summaries.get(id) ?? noAnswers);
  });
}

const loadAnswerSummary = createDataLoader<string, AnswerSummary>();

const noAnswers: AnswerSummary = { lowestConfidence: null, answersRatedUp: 0, answersRatedDown: 0 };

const selectAnswerSummaries = `
  select message.conversation_id as "conversationId",
    min(message.confidence) filter (where message.status = 'COMPLETED' and message.intent is null) as "lowestConfidence",
    count(*) filter (where feedback.rating = 'UP')::integer as "answersRatedUp",
    count(*) filter (where feedback.rating = 'DOWN')::integer as "answersRatedDown"
  from grounded.messages message
  left join grounded.message_feedback feedback
    on feedback.message_id = message.id and feedback.project_id = message.project_id
  where message.project_id = $1::uuid and message.conversation_id = any ($2::uuid[]) and message.role = 'ASSISTANT'
  group by message.conversation_id`;
