import { notFound } from '../../platform/errors.ts';
import { type Context, transaction } from '../context.ts';
import { type Page, type PageInput, readPage } from '../offset-pagination.ts';
import { requireProjectResource } from '../organizations/require-project-resource.ts';
import { storedExpectation } from './expectation.ts';
import { requireConversations } from './origin-of-questions.ts';
import {
  insertQuestions,
  isCurrent,
  type QuestionInput,
  removeQuestions,
  type SetQuestion,
} from './question-rows.ts';
import {
  auditSet,
  getQuestionSet,
  lockSet,
  type QuestionSet,
  requireFewEnough,
  type SetTarget,
} from './question-sets.ts';

/** Identifies a question of a set. If `projectId` is set, the question must belong to that project. */
export interface QuestionTarget {
  readonly id: string;
  readonly projectId?: string | null;
}

/** Returns one page of the set's questions, in their order. */
export async function listSetQuestions(
  context: Context,
  input: PageInput & SetTarget,
): Promise<Page<SetQuestion>> {
  const { id: setId, projectId } = await getQuestionSet(context, input);
  const where = { setId, projectId, ...isCurrent };
  return readPage(
    input,
    (part) => context.db.setQuestion.findMany({ ...part, where, orderBy: { position: 'asc' } }),
    () => context.db.setQuestion.count({ where }),
  );
}

/**
 * Replaces all questions of a set. Raises its version.
 * @throws DomainError NOT_FOUND when a conversation of the questions is unknown
 */
export async function replaceSetQuestions(
  context: Context,
  input: SetTarget & { readonly questions: readonly QuestionInput[] },
): Promise<QuestionSet> {
  const { questions } = input;
  requireFewEnough(questions.length);
  return changeQuestions(context, input, questions, async ({ db }, set) => {
    await removeQuestions(db, set, null);
    await insertQuestions(db, set, questions);
    return questions.length;
  });
}

/**
 * Adds questions at the end of a set. Raises its version.
 * @throws DomainError VALIDATION_FAILED when the set would have more than 10,000 questions
 * @throws DomainError NOT_FOUND when a conversation of the questions is unknown
 */
export async function addSetQuestions(
  context: Context,
  input: SetTarget & { readonly questions: readonly QuestionInput[] },
): Promise<QuestionSet> {
  const { questions } = input;
  return changeQuestions(context, input, questions, async ({ db }, set) => {
    const count = set.questionCount + questions.length;
    requireFewEnough(count);
    await insertQuestions(db, set, questions);
    return count;
  });
}

/**
 * Changes one question of a set. Omitted fields stay unchanged, and null resets a field to its default. Raises the
 * version of the set. Runs that have asked the question keep its earlier wording.
 * @throws DomainError NOT_FOUND when the question is unknown
 */
export async function updateSetQuestion(
  context: Context,
  input: QuestionTarget & Omit<QuestionInput, 'question'> & { readonly question?: string | null },
): Promise<SetQuestion> {
  const { expected, mustRefuse, tags, question, documentId, documentName, language } = input;
  let changed: SetQuestion | undefined;
  const target = await findSetOf(context, input);
  await changeQuestions(context, target, [], async ({ db }, set) => {
    const where = { id: input.id, setId: set.id, projectId: set.projectId, ...isCurrent };
    const before = await db.setQuestion.findFirst({ where });
    if (before === null) throw notFound('Question');
    await removeQuestions(db, set, before.id);
    const { rowId: _rowId, ...kept } = before;
    changed = await db.setQuestion.create({
      data: {
        ...kept,
        addedIn: set.version,
        expected: copyOf(
          expected === undefined ? storedExpectation(before).expected : (expected ?? []),
        ),
        ...(question != null && { question }),
        ...(documentId !== undefined && { documentId }),
        ...(documentName !== undefined && { documentName }),
        ...(mustRefuse !== undefined && { mustRefuse: mustRefuse ?? false }),
        ...(tags !== undefined && { tags: [...(tags ?? [])] }),
        ...(language !== undefined && { language }),
      },
    });
    return set.questionCount;
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
  return changeQuestions(context, target, [], async ({ db }, set) => {
    const removed = await removeQuestions(db, set, input.id);
    if (removed === 0) throw notFound('Question');
    return set.questionCount - removed;
  });
}

/** Returns the set of a question of a project in which the caller may change it. */
async function findSetOf(context: Context, { id, projectId }: QuestionTarget): Promise<SetTarget> {
  const target = { what: 'Question', id, projectId: projectId ?? null };
  const { resource } = await requireProjectResource(context, 'evaluation:write', target, (id) =>
    context.db.setQuestion.findFirst({ where: { id, ...isCurrent } }),
  );
  return { id: resource.setId, projectId: resource.projectId };
}

/**
 * Changes the questions of a set in one transaction. `added` are new questions. `change` receives the set with its next
 * version, and returns the new number of questions, or null if it changed nothing.
 */
export async function changeQuestions(
  context: Context,
  input: SetTarget,
  added: readonly QuestionInput[],
  change: (context: Context, set: QuestionSet) => Promise<number | null>,
): Promise<QuestionSet> {
  const target = await getQuestionSet(context, input, 'evaluation:write');
  return transaction(context, async (context) => {
    await requireConversations(context.db, target.projectId, added);
    const locked = await lockSet(context, target);
    const version = locked.version + 1;
    const questionCount = await change(context, { ...locked, version });
    if (questionCount === null) return locked;
    const { id, projectId } = locked;
    const changed = await context.db.questionSet.update({
      where: { id, projectId },
      data: { version, questionCount },
    });
    await auditSet(context, 'QUESTION_SET_UPDATED', changed, { questions: questionCount, version });
    return changed;
  });
}

function copyOf(expected: readonly (readonly string[])[]): string[][] {
  return expected.map((texts) => [...texts]);
}
