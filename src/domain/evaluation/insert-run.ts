import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { recordProjectAuditEntry } from '../audit/record-audit-entry.ts';
import type { Context } from '../context.ts';
import type { Candidate } from './candidate.ts';
import { evaluateJob } from './evaluate-job-type.ts';
import type { FigureBounds } from './figure-bounds.ts';
import type { QuestionSet } from './question-sets.ts';

/** Options of a run. The defaults are those of a run that was started by hand. */
interface RunOptions {
  readonly organizationId: string;
  readonly candidate?: Candidate;
  /** Name of the model that judges the answers, too. Null: only code does. */
  readonly judgeModel: string | null;
  /** Bounds of the schedule that starts the run. Absent: the run is not scheduled. */
  readonly scheduledBounds?: FigureBounds;
}

/**
 * Inserts a run of the questions that the set has now, its job and its audit entry. Call it in a transaction that has
 * locked the set.
 */
export async function insertRun(
  context: Context,
  { id: setId, projectId, name, version, questionCount: total }: QuestionSet,
  { organizationId, candidate = {}, judgeModel, scheduledBounds }: RunOptions,
): Promise<Prisma.EvaluationRunGetPayload<object>> {
  const { db, queue } = context;
  const isScheduled = scheduledBounds !== undefined;
  const run = await db.evaluationRun.create({
    data: {
      ...{ id: newId(), projectId, setId, setVersion: version, total, isScheduled, judgeModel },
      candidate: candidate as Prisma.InputJsonObject,
      bounds: scheduledBounds ?? {},
    },
  });
  await queue.enqueue(db, evaluateJob, { projectId, runId: run.id }, { group: organizationId });
  await recordProjectAuditEntry(context, projectId, {
    action: 'EVALUATION_STARTED',
    target: { type: 'EVALUATION_RUN', id: run.id, name },
    change: {
      ...{ setId, candidate },
      ...(isScheduled && { isScheduled }),
      ...(judgeModel !== null && { judgeModel }),
    },
  });
  return run;
}
