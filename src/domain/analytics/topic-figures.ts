import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';
import { lowConfidenceThreshold } from '../usage/low-confidence.ts';
import {
  type AnswerCounts,
  during,
  isCountedAnswer,
  isNoTest,
  isRefused,
} from './analytics-sql.ts';
import { maxRows, type Period, valuesOf } from './period.ts';

/** Answers of a period that cite a document with a tag. An answer counts once for each tag of its documents. */
export interface TopicFigures
  extends Pick<AnswerCounts, 'answers' | 'unsure' | 'helpful' | 'unhelpful'> {
  /** The tag. */
  readonly name: string;
  /** Mean confidence of these answers, 0 to 1. Null if none has a confidence. */
  readonly confidence: number | null;
}

/**
 * Returns the figures of the 50 tags with the most answers, most first. The tags are those that the cited documents have
 * now. Needs `knowledge:read`, because the figures name tags. Returns nothing to an API key with a filter, because the
 * answers may cite documents that the filter excludes.
 * @throws DomainError from `requireProject`
 */
export async function listTopicFigures(context: Context, period: Period): Promise<TopicFigures[]> {
  const { caller, db } = context;
  await requireProject(context, period.project.id, 'knowledge:read');
  if (caller.type === 'key' && caller.filter !== null) return [];
  return runSql<TopicFigures>(db, selectTopics, [...valuesOf(period), maxRows]);
}

/**
 * Reads the answers of the period by the index `messages_answers`, and the documents that each answer cites by their
 * ids. `offset 0` keeps Postgres from reading all documents of the project for each answer, which it does where its
 * statistics are old.
 */
const selectTopics = `
  select tag as name, count(*)::integer as answers, avg(message.confidence)::float8 as confidence,
    (count(*) filter (where message.confidence < ${lowConfidenceThreshold}))::integer as unsure,
    (count(*) filter (where feedback.rating = 'UP'))::integer as helpful,
    (count(*) filter (where feedback.rating = 'DOWN'))::integer as unhelpful
  from grounded.messages message
  left join grounded.message_feedback feedback
    on feedback.message_id = message.id and feedback.project_id = $1::uuid
  cross join lateral (
    select distinct unnest(document.tags) as tag
    from (
      select cited.project_id, cited.tags from grounded.documents cited
      where cited.deleted_at is null and cited.id = any (array(
        select (citation ->> 'documentId')::uuid from jsonb_array_elements(message.citations) citation))
      offset 0
    ) document
    where document.project_id = $1::uuid
  ) topic
  where ${isCountedAnswer('message')} and not ${isRefused('message')}
    and ${during('message.created_at')} and ${isNoTest('message.conversation_id')}
  group by tag
  order by count(*) desc, tag limit $4::integer`;
