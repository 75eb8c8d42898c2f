import { defineJob, noPayload, scheduledQueue } from '../../platform/jobs/job.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { type Adapters, type Context, createSystemContext, transaction } from '../context.ts';
import { hasQuestionLeft } from '../usage/question-quota.ts';
import { insertRun } from './insert-run.ts';
import { judgeModelOf } from './judge-with-model.ts';
import { followingRunAt, scheduleOf } from './set-schedule.ts';

export const startDueEvaluationsJob = defineJob({
  name: 'start-due-evaluations',
  payload: noPayload,
  queue: scheduledQueue,
  schedule: '* * * * *',
  concurrency: 1,
  run: (adapters: Adapters, _payload, { signal }) => startDueEvaluations(adapters, signal),
});

/** Sets per call. The others are due at the next call. A start copies up to 10,000 questions. */
const maxDue = 200;

/**
 * Starts a run of each set whose schedule is due. Skips a set until its next scheduled time if it has no questions, its
 * latest run has not finished, or no evaluated question of the plan is left.
 */
export async function startDueEvaluations(adapters: Adapters, signal: AbortSignal): Promise<void> {
  const context = createSystemContext(adapters, signal);
  const now = new Date();
  const due = await context.db.questionSet.findMany({
    where: { nextRunAt: { lte: now } },
    select: { id: true, projectId: true },
    orderBy: { nextRunAt: 'asc' },
    take: maxDue,
  });
  for (const set of due) {
    signal.throwIfAborted();
    await transaction(context, (context) => startIfDue(context, set, now));
  }
}

async function startIfDue(
  context: Context,
  { id, projectId }: { readonly id: string; readonly projectId: string },
  now: Date,
): Promise<void> {
  const { db } = context;
  // The lock makes processes, and callers who start a run, wait for each other. Afterwards the set is no longer due.
  const [locked] = await runSql<{ organization_id: string }>(
    db,
    `select project.organization_id
     from grounded.question_sets set join grounded.projects project on project.id = set.project_id
     where set.id = $1::uuid and set.project_id = $2::uuid and set.next_run_at <= $3::text::timestamptz
     for no key update of set`,
    [id, projectId, now.toISOString()],
  );
  if (locked === undefined) return;
  const set = await db.questionSet.findFirstOrThrow({ where: { id, projectId } });
  const schedule = scheduleOf(set);
  if (schedule === null) return;
  const nextRunAt = followingRunAt(schedule, now);
  // Not a change of the set by a caller, so that `updatedAt` stays.
  await db.questionSet.updateMany({
    where: { id, projectId },
    data: { nextRunAt, updatedAt: set.updatedAt },
  });
  if (set.questionCount === 0) return;
  const unfinished = { setId: id, projectId, finishedAt: null };
  if ((await db.evaluationRun.count({ where: unfinished })) > 0) return;
  const { organization_id: organizationId } = locked;
  if (!(await hasQuestionLeft(db, { organizationId, kind: 'evaluated' }))) return;
  const { bounds } = schedule;
  // The figure of this bound needs the verdicts.
  const judgeModel = bounds.modelRight == null ? null : judgeModelOf(context.models.chat);
  await insertRun(context, set, { organizationId, judgeModel, scheduledBounds: bounds });
}
