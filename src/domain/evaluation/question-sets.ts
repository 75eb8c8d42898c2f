import { DomainError, notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { recordProjectAuditEntry } from '../audit/record-audit-entry.ts';
import { type Context, transaction } from '../context.ts';
import { type Page, type PageInput, readPage } from '../offset-pagination.ts';
import { requireProject } from '../organizations/require-project.ts';
import { requireProjectResource } from '../organizations/require-project-resource.ts';
import { requireConversations } from './origin-of-questions.ts';
import { insertQuestions, type QuestionInput } from './question-rows.ts';
import { enqueueVectorRemoval } from './remove-candidate-vectors.ts';
import { type SetScheduleInput, scheduleColumns } from './set-schedule.ts';

export type QuestionSet = Prisma.QuestionSetGetPayload<object>;

/** Identifies a question set. If `projectId` is set, the set must belong to that project. */
export interface SetTarget {
  readonly id: string;
  readonly projectId?: string | null;
}

const maxSets = 100;
export const maxQuestions = 10_000;

/**
 * Creates a set, with questions or empty.
 * @throws DomainError CONFLICT when the project has 100 sets
 * @throws DomainError NOT_FOUND when a conversation of the questions is unknown
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
    await requireConversations(db, projectId, questions ?? []);
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
    await auditSet(context, 'QUESTION_SET_CREATED', set, {
      questions: questions?.length ?? 0,
      ...(schedule != null && { schedule }),
    });
    if (questions == null || questions.length === 0) return set;
    await insertQuestions(db, set, questions);
    return db.questionSet.update({
      where: { id: set.id, projectId },
      data: { questionCount: questions.length },
    });
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
    await auditSet(context, 'QUESTION_SET_UPDATED', set, {
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
      await auditSet(context, 'QUESTION_SET_DELETED', set, { questions: questionCount });
      return set;
    },
    { isRemoval: true },
  );
}

/** Makes concurrent changes of a set wait for each other, and returns its current row. */
export async function lockSet(
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

/** @throws DomainError VALIDATION_FAILED when a set cannot have so many questions */
export function requireFewEnough(count: number): void {
  if (count <= maxQuestions) return;
  throw new DomainError('VALIDATION_FAILED', [
    `questions must have at most ${maxQuestions} entries`,
  ]);
}

export async function auditSet(
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
