import { runSql } from '../../platform/postgres/run-sql.ts';
import { lowConfidenceThreshold } from '../chat/evidence/confidence.ts';
import type { Context } from '../context.ts';
import { type Page, type PageInput, pageOf } from '../offset-pagination.ts';
import { requireProject } from '../organizations/require-project.ts';
import { type AskedQuestion, groupQuestions, type QuestionGroup } from './group-questions.ts';

/** Questions with the same meaning that were not answered well. */
export interface UnansweredQuestion {
  /** Id of the latest message with the question. */
  readonly id: string;
  /** The most frequent wording. */
  readonly question: string;
  readonly count: number;
  /** Number of answers that were rated DOWN. */
  readonly badFeedbackCount: number;
  readonly lastAskedAt: Date;
  /** The five latest conversations. */
  readonly conversationIds: readonly string[];
  /** Ids of all messages with the question, latest first. */
  readonly messageIds: readonly string[];
}

const maxQuestions = 500;
const maxConversationIds = 5;
const defaultLookbackMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Returns questions of end users since `since` (default: 30 days ago) whose answer had low confidence or was rated
 * DOWN. Omits small talk. Covers the latest 500 questions, grouped by meaning, most frequent first.
 * @throws DomainError from `requireProject`
 */
export async function listUnansweredQuestions(
  context: Context,
  input: { readonly projectId: string; readonly since?: Date | null },
): Promise<UnansweredQuestion[]> {
  const { id: projectId } = await requireProject(context, input.projectId, 'conversations:read');
  const since = input.since ?? new Date(Date.now() - defaultLookbackMs);
  const rows = await runSql<QuestionRow>(context.db, findQuestions, [
    projectId,
    since.toISOString(),
    maxQuestions,
  ]);
  const groups = await groupQuestions(context, projectId, rows.map(askedQuestionOf));
  return groups.map(summaryOf).sort(mostFrequentFirst);
}

/** Returns one page of `listUnansweredQuestions`. */
export async function listUnansweredQuestionsByPage(
  context: Context,
  input: PageInput & { readonly projectId: string; readonly since?: Date | null },
): Promise<Page<UnansweredQuestion>> {
  return pageOf(input, await listUnansweredQuestions(context, input));
}

/**
 * Finds answers with low confidence or a DOWN rating, then the question directly before each answer. The confidence
 * threshold is a literal, because Postgres cannot use the partial index with a parameter.
 */
const findQuestions = `
  with unsure as (
    select id, conversation_id, position, created_at
    from grounded.messages
    where project_id = $1::uuid and role = 'ASSISTANT' and status = 'COMPLETED'
      and confidence < ${lowConfidenceThreshold} and intent is null and created_at >= $2::timestamptz
    order by created_at desc limit $3::int
  ), rated as (
    select message_id from grounded.message_feedback
    where project_id = $1::uuid and rating = 'DOWN' and updated_at >= $2::timestamptz
    order by updated_at desc limit $3::int
  ), answer as (
    select id, conversation_id, position from unsure
    union
    select message.id, message.conversation_id, message.position
    from rated join grounded.messages message on message.id = rated.message_id
    where message.project_id = $1::uuid and message.intent is null and message.created_at >= $2::timestamptz
  )
  select question.id, question.conversation_id as "conversationId", question.content,
    extract(epoch from question.created_at)::float8 * 1000 as "askedAtMs",
    exists (select from rated where rated.message_id = answer.id) as "isRatedBad"
  from answer join grounded.messages question
    on question.conversation_id = answer.conversation_id and question.position = answer.position - 1
  where question.project_id = $1::uuid and question.role = 'USER'
  order by question.created_at desc, question.id desc limit $3::int`;

interface QuestionRow {
  readonly id: string;
  readonly conversationId: string;
  readonly content: string;
  readonly askedAtMs: number;
  readonly isRatedBad: boolean;
}

function askedQuestionOf({ id, askedAtMs, ...question }: QuestionRow): AskedQuestion {
  return { ...question, messageId: id, askedAt: new Date(Math.round(askedAtMs)) };
}

function summaryOf({ question, asked }: QuestionGroup): UnansweredQuestion {
  const latestFirst = asked.toSorted((a, b) => b.askedAt.getTime() - a.askedAt.getTime());
  const [latest] = latestFirst;
  if (latest === undefined) throw new Error('A question group is empty');
  const conversationIds = [...new Set(latestFirst.map(({ conversationId }) => conversationId))];
  return {
    id: latest.messageId,
    question,
    count: asked.length,
    badFeedbackCount: asked.filter(({ isRatedBad }) => isRatedBad).length,
    lastAskedAt: latest.askedAt,
    conversationIds: conversationIds.slice(0, maxConversationIds),
    messageIds: latestFirst.map(({ messageId }) => messageId),
  };
}

function mostFrequentFirst(a: UnansweredQuestion, b: UnansweredQuestion): number {
  return b.count - a.count || b.lastAskedAt.getTime() - a.lastAskedAt.getTime();
}
