import { type Context, transaction } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';
import { enqueueIngestion } from './ingestion/enqueue-ingestion.ts';

export interface RetryReport {
  /** Number of documents that are processed again. */
  readonly retriedCount: number;
  /** Number of documents that are still FAILED. */
  readonly failedCount: number;
}

/** Maximum number of documents per call, so that its transaction takes a second or two. */
const maxRetriedDocuments = 500;

/**
 * Enqueues the ingestion of the project's failed documents again, at most 500 per call, those that failed first. They
 * come after documents that are waiting already, and projects take turns.
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
    // Returns only rows that no concurrent call has changed in the meantime.
    const retried = await db.document.updateManyAndReturn({
      where: { ...failed, id: { in: oldest.map(({ id }) => id) } },
      data: { status: 'PROCESSING', errorCode: null, errorMessage: null, processedAt: null },
      select: { id: true },
    });
    const ids = retried.map(({ id }) => id);
    if (ids.length > 0) await enqueueIngestion(db, queue, project, ids);
    return { retriedCount: ids.length, failedCount: await db.document.count({ where: failed }) };
  });
}
