import { z } from 'zod';
import { deadLetterQueue, defineJob, type JobAttempt } from '../../platform/jobs/job.ts';
import type { Source } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { inSpan } from '../../platform/tracing/tracer.ts';
import { type Adapters, type Context, createSystemContext, transaction } from '../context.ts';
import { publishWebhookEvent } from '../webhooks/publish-webhook-event.ts';
import { auditSource } from './audit-source.ts';
import { connectors, secretOf } from './connectors.ts';
import {
  type ClaimedRun,
  type Refusal,
  RunLost,
  type RunReport,
  type RunWarning,
  storedChanges,
} from './run-report.ts';

const payload = z.object({ projectId: z.string(), sourceId: z.string(), runId: z.string() });
type Payload = z.infer<typeof payload>;

export const failSourceRunJob = defineJob({
  name: 'fail-source-run',
  payload,
  queue: deadLetterQueue,
  concurrency: 1,
  run: failSourceRun,
});

/** The group of a job is its organization. Many jobs run at the same time, because most of them wait for websites. */
export const syncSourceJob = defineJob({
  name: 'sync-source',
  payload,
  queue: {
    retryLimit: 10,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 300,
    expireInSeconds: 6 * 3600,
  },
  deadLetter: failSourceRunJob,
  concurrency: 12,
  groupConcurrency: 4,
  run: runSourceSync,
});

/**
 * Works on a run until the documents are equal to the source. If the process dies, the job is retried and continues the
 * same run.
 */
async function runSourceSync(
  adapters: Adapters,
  { projectId, sourceId, runId }: Payload,
  { signal, requestId }: JobAttempt,
): Promise<void> {
  const context = createSystemContext(adapters, signal, requestId);
  const claimed = await claimRun(context, { projectId, runId });
  const source = await context.db.source.findFirst({
    where: { id: sourceId, projectId, deletedAt: null },
    include: { project: { select: { organizationId: true } } },
  });
  if (claimed === null || source === null) return;
  const { run, report } = claimed;
  try {
    if (claimed.deaths >= maxDeaths)
      return await finishRun(context, source, run, report, deathsError);
    const { organizationId } = source.project;
    const secret = secretOf(context, source);
    const reading = { context, source, secret, organizationId, run, report };
    const attributes = { 'grounded_chat.source.kind': source.kind, 'grounded_chat.run.id': run.id };
    const error = await inSpan('read source', { attributes }, () =>
      connectors[source.kind].read(reading),
    );
    await finishRun(context, source, run, report, error);
  } catch (error) {
    if (error instanceof RunLost) return;
    await releaseRun(context, run);
    throw error;
  }
}

/** Ends a run whose job has failed on all attempts. */
async function failSourceRun(
  adapters: Adapters,
  { projectId, sourceId, runId }: Payload,
  { signal, requestId }: JobAttempt,
): Promise<void> {
  const context = createSystemContext(adapters, signal, requestId);
  const claimed = await claimRun(context, { projectId, runId });
  const source = await context.db.source.findFirst({ where: { id: sourceId, projectId } });
  if (claimed === null || source === null) return;
  const error = 'The run stopped because of an internal error. Start it again';
  await finishRun(context, source, claimed.run, claimed.report, error);
}

/**
 * After this many dead processes, a run fails. Its source, for example because of its size, would probably also kill
 * the next process.
 */
const maxDeaths = 2;
const deathsError =
  'The process that read the source has stopped unexpectedly twice. The source may be too large or harmful: narrow it, then start a run';

/** Stores that this process has stopped working on the run, for example because the service stops. */
async function releaseRun({ db }: Context, { id, attempt }: ClaimedRun): Promise<void> {
  await db.sourceRun.updateMany({ where: { id, attempt }, data: { isWorkedOn: false } });
}

/** Assigns the run to this process only. Returns null if the run has finished. */
async function claimRun(
  context: Context,
  { projectId, runId }: Pick<Payload, 'projectId' | 'runId'>,
): Promise<Claim | null> {
  const where = { id: runId, projectId, finishedAt: null };
  await context.db.sourceRun.updateMany({
    where: { ...where, isWorkedOn: true },
    data: { deaths: { increment: 1 } },
  });
  const [row] = await context.db.sourceRun.updateManyAndReturn({
    where,
    data: { attempt: { increment: 1 }, isWorkedOn: true },
  });
  if (row === undefined) return null;
  const { id, attempt, startedAt, fetched, added, changed, removed, unchanged, refused } = row;
  return {
    run: { id, attempt, startedAt },
    deaths: row.deaths,
    report: {
      ...{ fetched, added, changed, removed, unchanged, refused, heldRemovals: row.heldRemovals },
      refusals: [...(row.refusals as Refusal[])],
      warnings: [...(row.warnings as RunWarning[])],
      changes: storedChanges(row.changes),
    },
  };
}

interface Claim {
  readonly run: ClaimedRun & { startedAt: Date };
  /** Number of processes that died while they worked on the run. */
  readonly deaths: number;
  readonly report: RunReport;
}

async function finishRun(
  context: Context,
  { id, projectId, kind, name }: Source,
  run: ClaimedRun,
  report: RunReport,
  error: string | null,
): Promise<void> {
  const { refusals, warnings, changes, ...counts } = report;
  const finishedAt = new Date();
  await transaction(context, async (context) => {
    const [row] = await context.db.sourceRun.updateManyAndReturn({
      where: { id: run.id, projectId, attempt: run.attempt, finishedAt: null },
      data: {
        ...{ ...counts, finishedAt, error },
        ...{ refusals: [...refusals], warnings: [...warnings], changes },
      },
    });
    if (row === undefined) throw new RunLost();
    await removeOldRuns(context, id);
    const { organizationId } = await context.db.project.findUniqueOrThrow({
      where: { id: projectId },
      select: { organizationId: true },
    });
    const { added, changed, removed, unchanged, refused } = counts;
    if (removed > 0) {
      await auditSource(
        context,
        'DOCUMENTS_DELETED',
        { id, projectId, name },
        { count: removed, runId: run.id },
      );
    }
    const data = {
      ...{ organizationId, projectId, sourceId: id, runId: run.id, kind, name },
      ...{ added, changed, removed, unchanged, refused, error },
      startedAt: row.startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
    };
    await publishWebhookEvent(context, { projectId, type: 'source.synced', data });
  });
  context.metrics.recordSourceRun(error === null ? 'SUCCEEDED' : 'FAILED');
}

const keptRuns = 100;

async function removeOldRuns({ db }: Context, sourceId: string): Promise<void> {
  await runSql(
    db,
    `delete from grounded.source_runs where source_id = $1::uuid and finished_at is not null and id < (
       select id from grounded.source_runs where source_id = $1::uuid order by id desc offset $2 limit 1)`,
    [sourceId, keptRuns],
  );
}
