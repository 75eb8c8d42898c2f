import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { recordProjectAuditEntry } from '../audit/record-audit-entry.ts';
import type { Context } from '../context.ts';
import type { Candidate } from './candidate.ts';
import { evaluateJob } from './evaluate-job-type.ts';
import type { EvaluationRun } from './evaluation-runs.ts';
import type { FigureBounds } from './figure-bounds.ts';
import type { QuestionSet } from './question-sets.ts';

/** How a run differs from one of the project as it is that was started by hand. */
interface RunOptions {
  readonly organizationId: string;
  readonly candidate?: Candidate;
  /** Name of the model that judges the answers, too. Null: only code does. */
  readonly judgeModel: string | null;
  /** Bounds of the schedule that starts the run. Absent: the run is not scheduled. */
  readonly scheduledBounds?: FigureBounds;
}

/**
 * Inserts a run with the questions that the set has now, its job and its audit entry. Call it in a transaction that has
 * locked the set.
 */
export async function insertRun(
  context: Context,
  { id: setId, projectId, name, version, questionCount: total }: QuestionSet,
  { organizationId, candidate = {}, judgeModel, scheduledBounds }: RunOptions,
): Promise<EvaluationRun> {
  const { db, queue } = context;
  const isScheduled = scheduledBounds !== undefined;
  const run = await db.evaluationRun.create({
    data: {
      ...{ id: newId(), projectId, setId, setVersion: version, total, isScheduled, judgeModel },
      candidate: candidate as Prisma.InputJsonObject,
      bounds: scheduledBounds ?? {},
    },
  });
  await runSql(db, copyQuestions, [run.id, setId, projectId]);
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

const columns =
  'position, question, expected, document_id, document_name, must_refuse, tags, language';
/** Parameters: $1 run, $2 set, $3 project. */
const copyQuestions = `
  insert into grounded.evaluation_results (run_id, project_id, question_id, ${columns})
  select $1::uuid, $3::uuid, id, ${columns}
  from grounded.set_questions where set_id = $2::uuid and project_id = $3::uuid`;
