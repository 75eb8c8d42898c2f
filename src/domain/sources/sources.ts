import { DomainError, notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { SourceKind } from '../../platform/postgres/generated/prisma/enums.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { type Context, transaction } from '../context.ts';
import { type Page, type PageInput, readPage } from '../offset-pagination.ts';
import { requireProject } from '../organizations/require-project.ts';
import { requireProjectResource } from '../organizations/require-project-resource.ts';
import { requireNoFilter } from '../permissions.ts';
import { auditSource } from './audit-source.ts';
import { readConfigInput } from './connectors.ts';
import { removeSourceJob } from './remove-source.ts';
import { nextRunAt, type SourceConfigInput } from './source-config.ts';

/** A source with its latest run, if there is one. */
export type SourceWithRun = Prisma.SourceGetPayload<typeof withLastRun>;
export type SourceRun = Prisma.SourceRunGetPayload<object>;

const withLastRun = {
  include: { runs: { orderBy: { id: 'desc' }, take: 1 } },
} as const satisfies Prisma.SourceDefaultArgs;

export const sourceStatuses = ['IDLE', 'RUNNING', 'FAILED', 'PAUSED'] as const;
export type SourceStatus = (typeof sourceStatuses)[number];

const maxSources = 50;

/** Identifies a source. If `projectId` is set, the source must belong to that project. */
export interface SourceTarget {
  readonly id: string;
  readonly projectId?: string | null;
}

/** Returns the current status of the source, or the result of its last run. */
export function statusOf({ isPaused, runs: [run] }: SourceWithRun): SourceStatus {
  if (run?.finishedAt === null) return 'RUNNING';
  if (isPaused) return 'PAUSED';
  return run?.error != null ? 'FAILED' : 'IDLE';
}

/**
 * Creates a source. The first run starts on schedule, or when `syncSource` is called.
 * @throws DomainError VALIDATION_FAILED when the configuration or the schedule is invalid
 * @throws DomainError CONFLICT when the project already has 50 sources
 */
export async function createSource(
  context: Context,
  input: {
    readonly projectId?: string | null;
    readonly kind: SourceKind;
    readonly name: string;
    readonly config: SourceConfigInput;
    readonly schedule?: string | null;
    /** If true, a run that would delete a large part of the documents needs a confirmation. Default: true. */
    readonly confirmsRemovals?: boolean | null;
  },
): Promise<SourceWithRun> {
  const { id: projectId } = await requireProject(context, input.projectId, 'knowledge:write');
  const { kind, name } = input;
  const schedule = scheduleOf(input.schedule);
  const id = newId();
  const data = {
    ...{ id, projectId, kind, name, schedule },
    ...readConfigInput(context, { id, kind, config: {}, secret: null }, input.config),
    ...{ nextRunAt: nextRunAt(schedule), confirmsRemovals: input.confirmsRemovals ?? true },
  };
  return transaction(context, async (context) => {
    const { db } = context;
    // Without this lock, concurrent calls could exceed the limit.
    const lock = 'select id from grounded.projects where id = $1::uuid for no key update';
    await runSql(db, lock, [projectId]);
    if ((await db.source.count({ where: { projectId, deletedAt: null } })) >= maxSources) {
      throw new DomainError('CONFLICT', `A project has at most ${maxSources} sources`);
    }
    const source = await db.source.create({ ...withLastRun, data });
    await auditSource(context, 'SOURCE_CREATED', source, { kind, schedule, config: input.config });
    return source;
  });
}

/**
 * Returns a source of a project in which the caller may read documents.
 * @throws DomainError FORBIDDEN when the caller is a key with a filter, because sources and their runs can name every
 *   document
 * @throws DomainError NOT_FOUND when the source is unknown
 */
export async function getSource(
  context: Context,
  target: SourceTarget,
  permission: 'knowledge:read' | 'knowledge:write' = 'knowledge:read',
): Promise<SourceWithRun> {
  requireNoFilter(context.caller);
  const { resource } = await requireProjectResource(
    context,
    permission,
    { what: 'Source', ...target },
    (id) => context.db.source.findFirst({ ...withLastRun, where: { id, deletedAt: null } }),
  );
  return resource;
}

/**
 * Returns one page of the project's sources, newest first.
 * @throws DomainError FORBIDDEN in the same case as `getSource`
 */
export async function listSources(
  context: Context,
  input: PageInput & { readonly projectId?: string | null },
): Promise<Page<SourceWithRun>> {
  requireNoFilter(context.caller);
  const { id: projectId } = await requireProject(context, input.projectId, 'knowledge:read');
  const where = { projectId, deletedAt: null };
  return readPage(
    input,
    (part) =>
      context.db.source.findMany({ ...withLastRun, ...part, where, orderBy: { id: 'desc' } }),
    () => context.db.source.count({ where }),
  );
}

/**
 * Returns one page of the source's runs, newest first.
 * @throws DomainError NOT_FOUND when the source is unknown
 */
export async function listSourceRuns(
  context: Context,
  input: PageInput & SourceTarget,
): Promise<Page<SourceRun>> {
  const { id, projectId } = await getSource(context, { id: input.id, projectId: input.projectId });
  const where = { sourceId: id, projectId };
  return readPage(
    input,
    (part) => context.db.sourceRun.findMany({ ...part, where, orderBy: { id: 'desc' } }),
    () => context.db.sourceRun.count({ where }),
  );
}

/**
 * Changes the given fields, including fields of the configuration. An empty schedule removes the schedule. A paused
 * source is not read. A run that is in progress keeps the old configuration.
 * @throws DomainError NOT_FOUND when the source is unknown
 * @throws DomainError VALIDATION_FAILED when the configuration or the schedule is invalid
 */
export async function updateSource(
  context: Context,
  input: SourceTarget & {
    readonly name?: string | null;
    readonly config?: SourceConfigInput | null;
    readonly schedule?: string | null;
    readonly isPaused?: boolean | null;
    readonly confirmsRemovals?: boolean | null;
  },
): Promise<SourceWithRun> {
  const source = await getSource(context, input, 'knowledge:write');
  const { id, projectId } = source;
  const schedule = input.schedule == null ? source.schedule : scheduleOf(input.schedule);
  const isPaused = input.isPaused ?? source.isPaused;
  const { id: _id, projectId: _projectId, ...change } = input;
  return transaction(context, async (context) => {
    await context.db.source.updateMany({
      where: { id, projectId, deletedAt: null },
      data: {
        ...{ schedule, isPaused, nextRunAt: isPaused ? null : nextRunAt(schedule) },
        ...(input.name != null && { name: input.name }),
        ...(input.confirmsRemovals != null && { confirmsRemovals: input.confirmsRemovals }),
        ...(input.config != null && readConfigInput(context, source, input.config)),
      },
    });
    await auditSource(context, 'SOURCE_UPDATED', source, change);
    return getSource(context, input, 'knowledge:write');
  });
}

/**
 * Deletes a source and stops its run. A job deletes its documents later.
 * @throws DomainError NOT_FOUND when the source is unknown
 */
export async function deleteSource(context: Context, input: SourceTarget): Promise<SourceWithRun> {
  const source = await getSource(context, input, 'knowledge:write');
  const { id, projectId } = source;
  return transaction(
    context,
    async (context) => {
      const { db, queue } = context;
      const { count } = await db.source.updateMany({
        where: { id, projectId, deletedAt: null },
        data: { deletedAt: new Date(), nextRunAt: null },
      });
      if (count === 0) throw notFound('Source');
      await db.sourceRun.updateMany({
        where: { sourceId: id, projectId, finishedAt: null },
        data: { finishedAt: new Date(), error: 'The source was deleted' },
      });
      await queue.enqueue(db, removeSourceJob, { projectId, sourceId: id });
      const documents = await db.document.count({ where: { projectId, sourceId: id } });
      await auditSource(context, 'SOURCE_DELETED', source, { documents });
      return source;
    },
    { isRemoval: true },
  );
}

function scheduleOf(schedule: string | null | undefined): string | null {
  return schedule == null || schedule.trim() === '' ? null : schedule.trim();
}
