import { notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import { runSql, type SqlClient } from '../../platform/postgres/run-sql.ts';
import type { QuestionInput } from './question-rows.ts';

/** A question of a set that was taken from a conversation, as it is and was. */
export interface QuestionOfConversation {
  readonly setName: string;
  readonly question: string;
  readonly expected: unknown;
  /** Answers of evaluation runs, oldest first. */
  readonly answers: readonly string[];
}

/**
 * Checks that the conversations of the questions belong to the project. The questions would otherwise not be erased with
 * their end users. Call it first in a transaction: an erasure locks conversations first.
 * @throws DomainError NOT_FOUND
 */
export async function requireConversations(
  db: SqlClient,
  projectId: string,
  questions: readonly QuestionInput[],
): Promise<void> {
  const ids = new Set(questions.flatMap(({ conversationId }) => conversationId ?? []));
  if (ids.size === 0) return;
  if (![...ids].every(isId)) throw notFound('Conversation');
  const [found] = await runSql<{ count: number }>(db, countSql, [projectId, [...ids]]);
  if (found?.count !== ids.size) throw notFound('Conversation');
}

/** Parameters: $1 project, $2 conversations. The lock keeps them until the questions are stored. */
const countSql = `
  with found as (
    select id from grounded.conversations where project_id = $1::uuid and id = any ($2::uuid[]) for key share)
  select count(*)::int as count from found`;

/**
 * Deletes the questions that were taken from these conversations, with their earlier wordings and their results.
 * Returns the number of wordings. Call it in the transaction that deletes the conversations.
 */
export async function eraseQuestionsOf(
  db: SqlClient,
  projectId: string,
  conversationIds: readonly string[],
): Promise<number> {
  const values = [projectId, conversationIds];
  // Sets are locked before their questions, as for every other change.
  const sets = await runSql<{ id: string }>(db, lockSetsSql, values);
  if (sets.length === 0) return 0;
  const [erased] = await runSql<{ count: number }>(db, eraseSql, values);
  return erased?.count ?? 0;
}

const lockSetsSql = `
  select id from grounded.question_sets
  where project_id = $1::uuid and id in (
    select set_id from grounded.set_questions
    where project_id = $1::uuid and conversation_id = any ($2::uuid[]))
  order by id for update`;

const eraseSql = `
  with erased as (
    delete from grounded.set_questions
    where project_id = $1::uuid and conversation_id = any ($2::uuid[])
    returning set_id, removed_in
  ), counted as (
    select set_id, count(*) filter (where removed_in is null)::int as questions from erased group by set_id
  ), changed as (
    update grounded.question_sets as changed
    set question_count = question_count - counted.questions, version = version + 1, updated_at = now()
    from counted where changed.id = counted.set_id and counted.questions > 0
  )
  select count(*)::int as count from erased`;

/** Returns the questions that were taken from these conversations, with their earlier wordings, in a stable order. */
export function listQuestionsOf(
  db: SqlClient,
  projectId: string,
  conversationIds: readonly string[],
): Promise<QuestionOfConversation[]> {
  return runSql(db, listSql, [projectId, conversationIds]);
}

const listSql = `
  select set.name as "setName", question.question, question.expected,
    array(select result.answer from grounded.evaluation_results result
      where result.question_row = question.row_id and result.answer is not null order by result.run_id) as answers
  from grounded.set_questions question join grounded.question_sets set on set.id = question.set_id
  where question.project_id = $1::uuid and question.conversation_id = any ($2::uuid[])
  order by set.id, question.position, question.added_in`;
