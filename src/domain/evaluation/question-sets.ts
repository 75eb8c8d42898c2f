import { DomainError, notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { recordProjectAuditEntry } from '../audit/record-audit-entry.ts';
import { type Context, transaction } from '../context.ts';
import { type Page, type PageInput, readPage } from '../offset-pagination.ts';
import { requireProject } from '../organizations/require-project.ts';
import { requireProjectResource } from '../organizations/require-project-resource.ts';
import { enqueueVectorRemoval } from './remove-candidate-vectors.ts';
import { type SetScheduleInput, scheduleColumns } from './set-schedule.ts';

export type QuestionSet = Prisma.QuestionSetGetPayload<object>;
export type SetQuestion = Prisma.SetQuestionGetPayload<object>;

/** Identifies a question set. If `projectId` is set, the set must belong to that project. */
export interface SetTarget {
  readonly id: string;
  readonly projectId?: string | null;
}

/** Identifies a question of a set. If `projectId` is set, the question must belong to that project. */
export interface QuestionTarget {
  readonly id: string;
  readonly projectId?: string | null;
}

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
}

const maxSets = 100;
export const maxQuestions = 10_000;

/**
 * Creates a set, with questions or empty.
 * @throws DomainError CONFLICT when the project has 100 sets
 */
export async function createQuestionSet(
  context: Context,
  input: {
    readonly projectId?: string | null;
    readonly name: string;
    readonly questions?: readonly QuestionInput[] | null;
    readonly schedule?: SetScheduleInput | null;
  },
): Promise<QuestionSet> {
  const { id: projectId } = await requireProject(context, input.projectId, 'evaluation:write');
  const { name, questions, schedule } = input;
  requireFewEnough(questions?.length ?? 0);
  return transaction(context, async (context) => {
    const { db } = context;
    // Without this lock, concurrent calls could exceed the limit.
    await runSql(db, 'select id from grounded.projects where id = $1::uuid for no key update', [
      projectId,
    ]);
    if ((await db.questionSet.count({ where: { projectId } })) >= maxSets) {
      throw new DomainError('CONFLICT', `A project has at most ${maxSets} question sets`);
    }
    const set = await db.questionSet.create({
      data: { id: newId(), projectId, name, ...scheduleColumns(schedule ?? null, null) },
    });
    await audit(context, 'QUESTION_SET_CREATED', set, {
      questions: questions?.length ?? 0,
      ...(schedule != null && { schedule }),
    });
    if (questions == null || questions.length === 0) return set;
    return insertQuestions(context, set, questions, 0);
  });
}

/**
 * Returns a set of a project in which the caller has the permission.
 * @throws DomainError NOT_FOUND when the set is unknown
 */
export async function getQuestionSet(
  context: Context,
  { id, projectId }: SetTarget,
  permission: 'evaluation:read' | 'evaluation:write' = 'evaluation:read',
): Promise<QuestionSet> {
  const target = { what: 'Question set', id, projectId: projectId ?? null };
  const { resource } = await requireProjectResource(context, permission, target, (id) =>
    context.db.questionSet.findFirst({ where: { id } }),
  );
  return resource;
}

/** Returns one page of the project's sets, newest first. */
export async function listQuestionSets(
  context: Context,
  input: PageInput & { readonly projectId?: string | null },
): Promise<Page<QuestionSet>> {
  const { id: projectId } = await requireProject(context, input.projectId, 'evaluation:read');
  const where = { projectId };
  return readPage(
    input,
    (part) => context.db.questionSet.findMany({ ...part, where, orderBy: { id: 'desc' } }),
    () => context.db.questionSet.count({ where }),
  );
}

/** Returns one page of the set's questions, in their order. */
export async function listSetQuestions(
  context: Context,
  input: PageInput & SetTarget,
): Promise<Page<SetQuestion>> {
  const { id: setId, projectId } = await getQuestionSet(context, input);
  const where = { setId, projectId };
  return readPage(
    input,
    (part) => context.db.setQuestion.findMany({ ...part, where, orderBy: { position: 'asc' } }),
    () => context.db.setQuestion.count({ where }),
  );
}

/** Changes a set. Omitted fields stay unchanged. A schedule of null ends the schedule. */
export async function updateQuestionSet(
  context: Context,
  input: SetTarget & { readonly name?: string | null; readonly schedule?: SetScheduleInput | null },
): Promise<QuestionSet> {
  const { name, schedule } = input;
  const { id, projectId } = await getQuestionSet(context, input, 'evaluation:write');
  return transaction(context, async (context) => {
    const current = await lockSet(context, { id, projectId });
    const set = await context.db.questionSet.update({
      where: { id, projectId },
      data: {
        ...(name != null && { name }),
        ...(schedule !== undefined && scheduleColumns(schedule, current)),
      },
    });
    await audit(context, 'QUESTION_SET_UPDATED', set, {
      ...(name != null && { name }),
      ...(schedule !== undefined && { schedule }),
    });
    return set;
  });
}

/** Deletes a set with its questions and runs. Stops a run that asks it. */
export async function deleteQuestionSet(context: Context, input: SetTarget): Promise<QuestionSet> {
  const set = await getQuestionSet(context, input, 'evaluation:write');
  const { id, projectId, questionCount } = set;
  return transaction(
    context,
    async (context) => {
      const { db } = context;
      await lockSet(context, { id, projectId });
      const run = await db.evaluationRun.findFirst({
        where: { setId: id, projectId, finishedAt: null },
      });
      if (run !== null) await enqueueVectorRemoval(context, run);
      await db.questionSet.deleteMany({ where: { id, projectId } });
      await audit(context, 'QUESTION_SET_DELETED', set, { questions: questionCount });
      return set;
    },
    { isRemoval: true },
  );
}

/** Replaces all questions of a set. Raises its version. */
export async function replaceSetQuestions(
  context: Context,
  input: SetTarget & { readonly questions: readonly QuestionInput[] },
): Promise<QuestionSet> {
  requireFewEnough(input.questions.length);
  return changeQuestions(context, input, async (context, set) => {
    const { id: setId, projectId } = set;
    await context.db.setQuestion.deleteMany({ where: { setId, projectId } });
    return insertQuestions(context, { ...set, questionCount: 0 }, input.questions, 1);
  });
}

/**
 * Adds questions at the end of a set. Raises its version.
 * @throws DomainError VALIDATION_FAILED when the set would have more than 10,000 questions
 */
export async function addSetQuestions(
  context: Context,
  input: SetTarget & { readonly questions: readonly QuestionInput[] },
): Promise<QuestionSet> {
  return changeQuestions(context, input, (context, set) => {
    requireFewEnough(set.questionCount + input.questions.length);
    return insertQuestions(context, set, input.questions, 1);
  });
}

/**
 * Changes one question of a set. Omitted fields stay unchanged, null is the default of a field. Raises the version of
 * the set.
 * @throws DomainError NOT_FOUND when the question is unknown
 */
export async function updateSetQuestion(
  context: Context,
  input: QuestionTarget & Omit<QuestionInput, 'question'> & { readonly question?: string | null },
): Promise<SetQuestion> {
  const { expected, mustRefuse, tags, question, documentId, documentName, language } = input;
  const data: Prisma.SetQuestionUpdateManyMutationInput = {
    ...(question != null && { question }),
    ...(expected !== undefined && { expected: (expected ?? []).map((texts) => [...texts]) }),
    ...(documentId !== undefined && { documentId }),
    ...(documentName !== undefined && { documentName }),
    ...(mustRefuse !== undefined && { mustRefuse: mustRefuse ?? false }),
    ...(tags !== undefined && { tags: [...(tags ?? [])] }),
    ...(language !== undefined && { language }),
  };
  let changed: SetQuestion | undefined;
  const target = await findSetOf(context, input);
  await changeQuestions(context, target, async ({ db }, { id: setId, projectId }) => {
    const where = { id: input.id, setId, projectId };
    [changed] = await db.setQuestion.updateManyAndReturn({ where, data });
    if (changed === undefined) throw notFound('Question');
    return db.questionSet.update({
      where: { id: setId, projectId },
      data: { version: { increment: 1 } },
    });
  });
  if (changed === undefined) throw notFound('Question');
  return changed;
}

/**
 * Deletes one question of a set. Raises the version of the set.
 * @throws DomainError NOT_FOUND when the question is unknown
 */
export async function deleteSetQuestion(
  context: Context,
  input: QuestionTarget,
): Promise<QuestionSet> {
  const target = await findSetOf(context, input);
  return changeQuestions(context, target, async ({ db }, { id: setId, projectId }) => {
    const where = { id: input.id, setId, projectId };
    const { count } = await db.setQuestion.deleteMany({ where });
    if (count === 0) throw notFound('Question');
    return db.questionSet.update({
      where: { id: setId, projectId },
      data: { version: { increment: 1 }, questionCount: { decrement: 1 } },
    });
  });
}

/** Returns the set of a question of a project in which the caller may change it. */
async function findSetOf(context: Context, { id, projectId }: QuestionTarget): Promise<SetTarget> {
  const target = { what: 'Question', id, projectId: projectId ?? null };
  const { resource } = await requireProjectResource(context, 'evaluation:write', target, (id) =>
    context.db.setQuestion.findFirst({ where: { id } }),
  );
  return { id: resource.setId, projectId: resource.projectId };
}

async function changeQuestions(
  context: Context,
  input: SetTarget,
  change: (context: Context, set: QuestionSet) => Promise<QuestionSet>,
): Promise<QuestionSet> {
  const target = await getQuestionSet(context, input, 'evaluation:write');
  return transaction(context, async (context) => {
    const changed = await change(context, await lockSet(context, target));
    const { questionCount: questions, version } = changed;
    await audit(context, 'QUESTION_SET_UPDATED', changed, { questions, version });
    return changed;
  });
}

/** Makes concurrent changes of a set wait for each other, and returns its current row. */
async function lockSet(
  { db }: Context,
  { id, projectId }: Pick<QuestionSet, 'id' | 'projectId'>,
): Promise<QuestionSet> {
  const lock =
    'select id from grounded.question_sets where id = $1::uuid and project_id = $2::uuid for update';
  await runSql(db, lock, [id, projectId]);
  const set = await db.questionSet.findFirst({ where: { id, projectId } });
  if (set === null) throw notFound('Question set');
  return set;
}

async function insertQuestions(
  { db }: Context,
  { id, projectId, questionCount }: QuestionSet,
  questions: readonly QuestionInput[],
  versions: 0 | 1,
): Promise<QuestionSet> {
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
  }));
  await runSql(db, insertSql, [id, projectId, JSON.stringify(rows)]);
  return db.questionSet.update({
    where: { id, projectId },
    data: {
      questionCount: questionCount + rows.length,
      ...(versions > 0 && { version: { increment: versions } }),
    },
  });
}

const columns = 'id, question, expected, document_id, document_name, must_refuse, tags, language';

/**
 * Parameters: $1 set, $2 project, $3 questions as JSON, with positions from 1. Inserts them after the last question of
 * the set. One statement also for thousands of questions.
 */
const insertSql = `
  insert into grounded.set_questions (set_id, project_id, position, ${columns})
  select $1::uuid, $2::uuid, position + coalesce((
      select max(last.position) from grounded.set_questions last where last.set_id = $1::uuid and last.project_id = $2::uuid
    ), 0), ${columns}
  from jsonb_to_recordset($3::text::jsonb) as q (id uuid, position integer, question text, expected jsonb,
    document_id uuid, document_name text, must_refuse boolean, tags text[], language text)`;

function requireFewEnough(count: number): void {
  if (count <= maxQuestions) return;
  throw new DomainError('VALIDATION_FAILED', [
    `questions must have at most ${maxQuestions} entries`,
  ]);
}

async function audit(
  context: Context,
  action: 'QUESTION_SET_CREATED' | 'QUESTION_SET_UPDATED' | 'QUESTION_SET_DELETED',
  { id, projectId, name }: QuestionSet,
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordProjectAuditEntry(context, projectId, {
    action,
    target: { type: 'QUESTION_SET', id, name },
    change,
  });
}
