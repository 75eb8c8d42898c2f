import { z } from 'zod';
import { defineJobType, implementJob } from '../../platform/jobs/job.ts';
import { type Adapters, type Context, createSystemContext } from '../context.ts';
import { deleteSourceDocument } from '../knowledge/delete-documents.ts';
import { deletePages } from './source-pages.ts';

const removeSourceJobType = defineJobType({
  name: 'remove-source',
  payload: z.object({ projectId: z.string(), sourceId: z.string() }),
  queue: {
    retryLimit: 20,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 3600,
    expireInSeconds: 6 * 3600,
  },
  concurrency: 2,
});

export const removeSourceJob = implementJob(
  removeSourceJobType,
  (adapters: Adapters, payload, { signal }) => removeSource(adapters, payload, signal),
);

const batchSize = 100;
/** Time after a source was deleted in which a run of it may still store a document. */
const lateDocumentMs = 120_000;

/**
 * Deletes the documents of a deleted source. Then runs a second time later, for documents that were stored in the
 * meantime.
 */
async function removeSource(
  adapters: Adapters,
  { projectId, sourceId }: { readonly projectId: string; readonly sourceId: string },
  signal: AbortSignal,
): Promise<void> {
  const context = createSystemContext(adapters, signal);
  const source = await context.db.source.findFirst({
    where: { id: sourceId, projectId, deletedAt: { not: null } },
  });
  if (source === null) return;
  await deleteSourceDocuments(context, { projectId, sourceId });
  const ageMs = Date.now() - (source.deletedAt?.getTime() ?? 0);
  if (ageMs < lateDocumentMs) {
    const delaySeconds = Math.ceil((lateDocumentMs - ageMs) / 1_000);
    const payload = { projectId, sourceId };
    await context.queue.enqueue(context.db, removeSourceJobType, payload, { delaySeconds });
  } else {
    await deletePages(context, { projectId, sourceId }, null);
    await context.db.source.deleteMany({ where: { id: sourceId, projectId } });
  }
}

async function deleteSourceDocuments(
  context: Context,
  where: { readonly projectId: string; readonly sourceId: string },
): Promise<void> {
  for (;;) {
    const documents = await context.db.document.findMany({
      where,
      select: { id: true },
      take: batchSize,
    });
    if (documents.length === 0) return;
    for (const { id } of documents) {
      context.signal.throwIfAborted();
      await deleteSourceDocument(context, { projectId: where.projectId, id });
    }
  }
}
