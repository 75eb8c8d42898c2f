import { isId } from '../../platform/ids.ts';
import { type Context, transaction } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import { requireProject } from '../organizations/require-project.ts';
import { visibleDocumentIds } from './filter/caller-filter.ts';
import { enqueueIngestion } from './ingestion/enqueue-ingestion.ts';

export interface RetryReport {
  /** Number of documents that this call has enqueued. */
  readonly retriedCount: number;
  /** Number of documents whose status is still FAILED. */
  readonly failedCount: number;
}

/** Maximum number of documents per transaction, so that a transaction takes at most about two seconds. */
const maxRetriedDocuments = 500;

/**
 * Enqueues the ingestion of the project's failed documents again, at most 500 per call. Documents that failed first
 * come first. They are processed after documents that are already waiting, and projects take turns.
 *
 * @throws DomainError from `requireProject`.
 */
export async function retryFailedDocuments(
  context: Context,
  input: { readonly projectId?: string | null; readonly limit?: number },
): Promise<RetryReport> {
  const project = await requireProject(context, input.projectId, 'knowledge:write');
  const failed = { projectId: project.id, status: 'FAILED' } as const;
  return transaction(context, async ({ db, queue }) => {
    const oldest = await db.document.findMany({
      where: failed,
      orderBy: [{ processedAt: 'asc' }, { id: 'asc' }],
      take: input.limit ?? maxRetriedDocuments,
      select: { id: true },
    });
    const ids = oldest.map(({ id }) => id);
    const retriedCount = await retry({ db, queue }, project, ids);
    return { retriedCount, failedCount: await db.document.count({ where: failed }) };
  });
}

/**
 * Enqueues the ingestion of these documents again, at most 1,000 per call. Ignores documents that have not failed,
 * unknown ids, ids of other projects and repeated ids. Returns the number of documents that were enqueued.
 *
 * @throws DomainError from `requireProject`.
 */
export async function retryDocuments(
  context: Context,
  input: { readonly projectId?: string | null; readonly documentIds: readonly string[] },
): Promise<number> {
  const project = await requireProject(context, input.projectId, 'knowledge:write');
  const given = [...new Set(input.documentIds.filter(isId))];
  const ids = await visibleDocumentIds(context, project.id, given);
  let count = 0;
  for (let from = 0; from < ids.length; from += maxRetriedDocuments) {
    const part = ids.slice(from, from + maxRetriedDocuments);
    count += await transaction(context, (context) => retry(context, project, part));
  }
  return count;
}

async function retry(
  { db, queue }: Pick<Context, 'db' | 'queue'>,
  project: Project,
  ids: readonly string[],
): Promise<number> {
  // Returns only the rows that no concurrent call has changed in the meantime.
  const retried = await db.document.updateManyAndReturn({
    where: { projectId: project.id, status: 'FAILED', id: { in: [...ids] } },
    data: { status: 'PROCESSING', errorCode: null, errorMessage: null, processedAt: null },
    select: { id: true },
  });
  const retriedIds = retried.map(({ id }) => id);
  if (retriedIds.length > 0) await enqueueIngestion(db, queue, project, retriedIds);
  return retriedIds.length;
}
