import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';

/** One wording of a question of a set. Its `id` is that of the question, `rowId` is that of the wording. */
export type SetQuestion = Prisma.SetQuestionGetPayload<object>;

export interface QuestionInput {
  readonly question: string;
  /** See `Expectation`. */
  readonly expected?: readonly (readonly string[])[] | null;
  readonly documentId?: string | null;
  readonly documentName?: string | null;
  readonly mustRefuse?: boolean | null;
  readonly tags?: readonly string[] | null;
  /** Language of the question, such as `de`. */
  readonly language?: string | null;
  /** The conversation that the question was taken from. The question is erased with its end user. */
  readonly conversationId?: string | null;
}

/** A version of a set. */
interface SetVersion {
  readonly id: string;
  readonly projectId: string;
  readonly version: number;
}

/** Condition for the questions that the set has now. */
export const isCurrent = { removedIn: null } as const satisfies Prisma.SetQuestionWhereInput;

/** Inserts questions after the last question of the set. `version` is the first that has them. */
export async function insertQuestions(
  db: Prisma.TransactionClient,
  { id, projectId, version }: SetVersion,
  questions: readonly QuestionInput[],
): Promise<void> {
  const rows = questions.map(({ expected, documentId, documentName, mustRefuse, ...input }, n) => ({
    id: newId(),
    position: n + 1,
    question: input.question,
    expected: expected ?? [],
    document_id: documentId ?? null,
    document_name: documentName ?? null,
    must_refuse: mustRefuse ?? false,
    tags: input.tags ?? [],
    language: input.language ?? null,
    conversation_id: input.conversationId ?? null,
  }));
  await runSql(db, insertSql, [id, projectId, version, JSON.stringify(rows)]);
}

/**
 * Removes one question, or all, from the set. `version` is the first without them. Returns the number of questions.
 * Rows to which a run refers stay until the run is deleted.
 */
export async function removeQuestions(
  db: Prisma.TransactionClient,
  { id, projectId, version }: SetVersion,
  questionId: string | null,
): Promise<number> {
  const [removed] = await runSql<{ count: number }>(db, removeSql, [
    ...[id, projectId, version, questionId],
  ]);
  return removed?.count ?? 0;
}

/** Deletes the rows of removed questions to which no run refers. Call it after runs were finished or deleted. */
export async function deleteUnusedQuestions(
  db: Prisma.TransactionClient,
  { id, projectId }: Pick<SetVersion, 'id' | 'projectId'>,
): Promise<void> {
  await runSql(db, deleteUnusedSql, [id, projectId]);
}

/** Number of questions in a page of texts. */
const pageSize = 500;

/** Returns the texts of the questions that the set has now, in pages, so that few of them are in memory at once. */
export async function* readQuestionTexts(
  db: Prisma.TransactionClient,
  { id, projectId }: Pick<SetVersion, 'id' | 'projectId'>,
): AsyncGenerator<readonly { readonly question: string }[]> {
  for (let after = 0; ; ) {
    const page = await db.setQuestion.findMany({
      where: { setId: id, projectId, ...isCurrent, position: { gt: after } },
      select: { question: true, position: true },
      orderBy: { position: 'asc' },
      take: pageSize,
    });
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.position;
  }
}

const columns =
  'id, question, expected, document_id, document_name, must_refuse, tags, language, conversation_id';

/**
 * Parameters: $1 set, $2 project, $3 version, $4 questions as JSON, with positions from 1. One statement also for
 * thousands of questions.
 */
const insertSql = `
  insert into grounded.set_questions (set_id, project_id, added_in, position, ${columns})
  select $1::uuid, $2::uuid, $3::int, position + coalesce((
      select max(last.position) from grounded.set_questions last
      where last.set_id = $1::uuid and last.project_id = $2::uuid and last.removed_in is null
    ), 0), ${columns}
  from jsonb_to_recordset($4::text::jsonb) as q (id uuid, position integer, question text, expected jsonb,
    document_id uuid, document_name text, must_refuse boolean, tags text[], language text,
    conversation_id uuid)`;

/** A run that has not finished may still ask the question. */
const isUsedSql = `(
    exists (select from grounded.evaluation_results result where result.question_row = question.row_id)
    or exists (select from grounded.evaluation_runs run
      where run.set_id = question.set_id and run.finished_at is null and run.set_version >= question.added_in
        and (question.removed_in is null or run.set_version < question.removed_in)))`;

/** Parameters: $1 set, $2 project, $3 version, $4 question or null. */
const removeSql = `
  with removed as (
    select row_id, ${isUsedSql} as is_used from grounded.set_questions question
    where set_id = $1::uuid and project_id = $2::uuid and removed_in is null and ($4::uuid is null or id = $4::uuid)
  ), deleted as (
    delete from grounded.set_questions question using removed
    where question.row_id = removed.row_id and not removed.is_used
  ), kept as (
    update grounded.set_questions question set removed_in = $3::int
    from removed where question.row_id = removed.row_id and removed.is_used
  )
  select count(*)::int as count from removed`;

/** Parameters: $1 set, $2 project. */
const deleteUnusedSql = `
  delete from grounded.set_questions question
  where set_id = $1::uuid and project_id = $2::uuid and removed_in is not null and not ${isUsedSql}`;
