import { DomainError, notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { defineJob, noPayload, scheduledQueue } from '../../platform/jobs/job.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { type Adapters, type Context, createSystemContext, transaction } from '../context.ts';
import { auditSource } from './audit-source.ts';
import { nextRunAt } from './source-config.ts';
import { getSource, type SourceRun, type SourceTarget } from './sources.ts';
import { syncSourceJob } from './sync-source-job.ts';

export const startDueSourcesJob = defineJob({
  name: 'start-due-sources',
  payload: noPayload,
  queue: scheduledQueue,
  schedule: '* * * * *',
  concurrency: 1,
  run: (adapters: Adapters, _payload, { signal }) => startDueSources(adapters, signal),
});

/**
 * Starts a run of the source. If a run is in progress, returns that run. With `confirmRemovals`, the run may delete a
 * large part of the documents if they are no longer in the source.
 * @throws DomainError NOT_FOUND when the source is unknown
 * @throws DomainError CONFLICT when the source is paused
 */
export async function syncSource(
  context: Context,
  { confirmRemovals, ...target }: SourceTarget & { readonly confirmRemovals?: boolean | null },
): Promise<SourceRun> {
  const source = await getSource(context, target, 'knowledge:write');
  const { id, projectId, isPaused } = source;
  if (isPaused) throw new DomainError('CONFLICT', 'The source is paused. Resume it first');
  return transaction(context, async (context) => {
    const isConfirmed = confirmRemovals ?? false;
    const run = await startRun(context, { id, projectId }, isConfirmed);
    if (run === null) throw notFound('Source');
    const change = { runId: run.id, confirmRemovals: isConfirmed };
    await auditSource(context, 'SOURCE_SYNCED', source, change);
    return run;
  });
}

/**
 * Starts a run of each source whose schedule is due. If a source is still being read, skips it until its next scheduled
 * time.
 */
export async function startDueSources(adapters: Adapters, signal: AbortSignal): Promise<void> {
  const context = createSystemContext(adapters, signal);
  const due = await context.db.source.findMany({
    where: { nextRunAt: { lte: new Date() }, isPaused: false, deletedAt: null },
    select: { id: true, projectId: true },
    orderBy: { nextRunAt: 'asc' },
    take: maxDue,
  });
  for (const source of due) {
    signal.throwIfAborted();
    await transaction(context, (context) => startRun(context, source, false));
  }
}

const maxDue = 1_000;

/**
 * Inserts a run and its job. If a run is already in progress, returns that run. Returns null if the source was deleted.
 */
async function startRun(
  context: Context,
  { id, projectId }: { readonly id: string; readonly projectId: string },
  isRemovalConfirmed: boolean,
): Promise<SourceRun | null> {
  const { db, queue } = context;
  // The lock makes concurrent calls wait for each other, so that all of them return the same run.
  const [source] = await runSql<{ schedule: string | null; organization_id: string }>(
    db,
    `select source.schedule, project.organization_id
     from grounded.sources source join grounded.projects project on project.id = source.project_id
     where source.id = $1::uuid and source.project_id = $2::uuid and source.deleted_at is null
     for no key update of source`,
    [id, projectId],
  );
  if (source === undefined) return null;
  await db.source.updateMany({
    where: { id, projectId },
    data: { nextRunAt: nextRunAt(source.schedule) },
  });
  const running = await db.sourceRun.findFirst({
    where: { sourceId: id, projectId, finishedAt: null },
  });
  if (running !== null) {
    if (!isRemovalConfirmed) return running;
    return db.sourceRun.update({
      where: { id: running.id, projectId },
      data: { isRemovalConfirmed },
    });
  }
  const run = await db.sourceRun.create({
    data: { id: newId(), sourceId: id, projectId, isRemovalConfirmed },
  });
  await queue.enqueue(
    db,
    syncSourceJob,
    { projectId, sourceId: id, runId: run.id },
    { group: source.organization_id },
  );
  return run;
}
