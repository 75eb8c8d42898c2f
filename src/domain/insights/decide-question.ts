import { notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { QuestionStatus } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { recordAuditEntry } from '../audit/record-audit-entry.ts';
import { type Context, transaction } from '../context.ts';
import { requireDocument } from '../knowledge/documents.ts';
import { requireProject } from '../organizations/require-project.ts';
import { maxDecisions } from './question-decisions.ts';

/** The team's decision about a question. It applies to all questions with the same meaning. */
export interface QuestionDecision {
  /** Id of the end user's message. */
  readonly questionId: string;
  readonly status: QuestionStatus;
  /** Id of the document that answers the question, or null. */
  readonly documentId: string | null;
  /** E-mail address of the operator who decided. Null for an API key. */
  readonly decidedBy: string | null;
  readonly decidedAt: Date;
}

/**
 * Dismisses a question of an end user, marks it as done or opens it again. The decision applies to all questions with
 * the same meaning, including later questions, and to questions that were merged with it. `documentId` names the
 * document that answers the question.
 *
 * @throws DomainError from `requireProject` and `requireDocument`.
 * @throws DomainError NOT_FOUND when the project has no such question.
 */
export async function decideQuestion(
  context: Context,
  input: {
    readonly projectId: string;
    readonly questionId: string;
    readonly status: QuestionStatus;
    readonly documentId?: string | null;
  },
): Promise<QuestionDecision> {
  const project = await requireProject(context, input.projectId, 'handoffs:work');
  const { questionId, status } = input;
  const documentId = input.documentId ?? null;
  if (documentId !== null) await requireDocument(context, project, documentId);
  const decision = { questionId, status, documentId, ...decidedNow(context) };
  return transaction(context, async (context) => {
    await lockDecisions(context.db, project.id);
    await requireQuestion(context.db, project.id, questionId);
    await storeDecision(context.db, project.id, decision);
    await recordAuditEntry(context, {
      organizationId: project.organizationId,
      action: 'QUESTION_DECIDED',
      target: { type: 'QUESTION', id: questionId },
      change: { projectId: project.id, status, ...(documentId !== null && { documentId }) },
    });
    return decision;
  });
}

/**
 * Merges the group of a question into the group of another question. Both groups then have the status of the second
 * group. Returns the decision about both.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the project does not have both questions.
 */
export async function mergeQuestions(
  context: Context,
  input: { readonly projectId: string; readonly questionId: string; readonly intoId: string },
): Promise<QuestionDecision> {
  const project = await requireProject(context, input.projectId, 'handoffs:work');
  const { questionId, intoId } = input;
  return transaction(context, async (context) => {
    const { db } = context;
    await lockDecisions(db, project.id);
    await requireQuestion(db, project.id, questionId);
    await requireQuestion(db, project.id, intoId);
    const merge = { projectId: project.id, questionId, intoId, ...decidedNow(context) };
    const decision = await storeMerge(db, merge);
    await recordAuditEntry(context, {
      organizationId: project.organizationId,
      action: 'QUESTIONS_MERGED',
      target: { type: 'QUESTION', id: questionId },
      change: { projectId: project.id, intoId },
    });
    return decision;
  });
}

function decidedNow({ caller }: Context) {
  return {
    decidedBy: caller.type === 'operator' ? caller.email : null,
    decidedAt: new Date(),
  };
}

/**
 * Lets only one transaction at a time change the decisions of a project. So a merged group never belongs to another
 * merged group, and the number of decisions stays limited.
 */
async function lockDecisions(db: Prisma.TransactionClient, projectId: string): Promise<void> {
  await runSql(db, 'select id from grounded.projects where id = $1::uuid for no key update', [
    projectId,
  ]);
}

/** Locks the message, so that it cannot be deleted until the transaction finishes. */
async function requireQuestion(
  db: Prisma.TransactionClient,
  projectId: string,
  id: string,
): Promise<void> {
  const found = isId(id) ? await runSql(db, lockQuestionSql, [id, projectId]) : [];
  if (found.length === 0) throw notFound('Question');
}

const lockQuestionSql = `
  select id from grounded.messages
  where id = $1::uuid and project_id = $2::uuid and role = 'USER' for key share`;

/** Stores the decision for the group. Questions that were merged share one status. */
async function storeDecision(
  db: Prisma.TransactionClient,
  projectId: string,
  { questionId, status, documentId, decidedBy, decidedAt }: QuestionDecision,
): Promise<void> {
  const data = { status, documentId, decidedBy, decidedAt };
  await db.questionDecision.upsert({
    where: { messageId: questionId, projectId },
    create: { messageId: questionId, projectId, ...data },
    update: data,
  });
  const rootId = await rootOf(db, projectId, questionId);
  await db.questionDecision.updateMany({
    where: { projectId, OR: [{ messageId: rootId }, { mergedInto: rootId }] },
    data,
  });
  await removeOldest(db, projectId);
}

interface Merge extends Pick<QuestionDecision, 'decidedBy' | 'decidedAt'> {
  readonly projectId: string;
  readonly questionId: string;
  readonly intoId: string;
}

async function storeMerge(
  db: Prisma.TransactionClient,
  { projectId, questionId, intoId, ...decided }: Merge,
): Promise<QuestionDecision> {
  await db.questionDecision.createMany({
    data: [intoId, questionId].map((messageId) => ({ messageId, projectId, ...decided })),
    skipDuplicates: true,
  });
  const rootId = await rootOf(db, projectId, intoId);
  const mergedId = await rootOf(db, projectId, questionId);
  const { status, documentId, decidedBy, decidedAt } = await db.questionDecision.findFirstOrThrow({
    where: { messageId: rootId, projectId },
  });
  if (rootId !== mergedId) {
    await db.questionDecision.updateMany({
      where: { projectId, OR: [{ messageId: mergedId }, { mergedInto: mergedId }] },
      data: { mergedInto: rootId, status, documentId, decidedBy, decidedAt },
    });
    await removeOldest(db, projectId);
  }
  return { questionId: rootId, status: status ?? 'OPEN', documentId, decidedBy, decidedAt };
}

async function rootOf(
  db: Prisma.TransactionClient,
  projectId: string,
  messageId: string,
): Promise<string> {
  const decision = await db.questionDecision.findFirst({ where: { messageId, projectId } });
  return decision?.mergedInto ?? messageId;
}

async function removeOldest(db: Prisma.TransactionClient, projectId: string): Promise<void> {
  await runSql(
    db,
    `delete from grounded.question_decisions where project_id = $1::uuid and message_id in (
       select message_id from grounded.question_decisions where project_id = $1::uuid
       order by decided_at desc, message_id desc offset $2::int)`,
    [projectId, maxDecisions],
  );
}
