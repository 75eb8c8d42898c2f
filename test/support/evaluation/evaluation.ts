import { newId } from '../../../src/platform/ids.ts';
import type { Prisma } from '../../../src/platform/postgres/generated/prisma/client.ts';
import type { EvaluationStatus } from '../../../src/platform/postgres/generated/prisma/enums.ts';
import { storedTrace } from '../stored-trace.ts';

/** Inserts a set with one question, and a run of it in the given state. Returns their ids. */
export async function insertQuestionSet(
  db: Prisma.TransactionClient,
  projectId: string,
  status: EvaluationStatus,
  question = 'Why?',
): Promise<{ readonly setId: string; readonly questionId: string; readonly runId: string }> {
  const [setId, questionId, runId] = [newId(), newId(), newId()];
  await db.questionSet.create({
    data: { id: setId, projectId, name: `${question} ${setId}`, questionCount: 1 },
  });
  const { rowId: questionRow } = await db.setQuestion.create({
    data: { id: questionId, setId, projectId, position: 1, question },
  });
  const isFinished = status !== 'QUEUED' && status !== 'RUNNING';
  const run = { id: runId, projectId, setId, setVersion: 1, total: 1, status };
  await db.evaluationRun.create({
    data: { ...run, ...(isFinished && { finishedAt: new Date(), done: 1 }) },
  });
  if (!isFinished) return { setId, questionId, runId };
  await db.evaluationResult.create({
    data: {
      ...{ runId, projectId, questionId, questionRow, position: 1, mustRefuse: false },
      ...{ answer: question, confidence: 0.5, refused: false },
    },
  });
  await db.evaluationTrace.create({
    data: { runId, projectId, position: 1, trace: storedTrace(question) },
  });
  return { setId, questionId, runId };
}

/** Inserts another finished run of the set that `runId` asked. Returns its id. */
export async function insertRunOfSet(
  db: Prisma.TransactionClient,
  projectId: string,
  runId: string,
): Promise<string> {
  const { setId, setVersion, total } = await db.evaluationRun.findFirstOrThrow({
    where: { id: runId, projectId },
  });
  const id = newId();
  const finished = { status: 'DONE', finishedAt: new Date(), done: total } as const;
  await db.evaluationRun.create({ data: { id, projectId, setId, setVersion, total, ...finished } });
  return id;
}
