import type { Queue } from '../../../platform/jobs/queue.ts';
import type { Prisma } from '../../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../../platform/postgres/run-sql.ts';
import type { Project } from '../../organizations/find-project.ts';
import { ingestDocumentJobType } from './ingest-document-job-type.ts';

/** If this many documents of a project are waiting, further documents do not get a lower priority. */
const maxCountedDocuments = 1_000;

/**
 * Enqueues the ingestion of documents whose status is already `PROCESSING`. Projects take turns: the more documents of
 * a project are waiting, the lower is the priority of its next document. The job type also limits how many jobs of an
 * organization run at once.
 */
export async function enqueueIngestion(
  db: Prisma.TransactionClient,
  queue: Queue,
  project: Pick<Project, 'id' | 'organizationId'>,
  documentIds: readonly string[],
  { delaySeconds }: { readonly delaySeconds?: number } = {},
): Promise<void> {
  const [waiting] = await runSql<{ count: number }>(
    db,
    `select ${waitingDocumentsSql('$1::uuid')} as count`,
    [project.id],
  );
  const earlier = Math.max(0, (waiting?.count ?? 0) - documentIds.length);
  for (const [index, documentId] of documentIds.entries()) {
    await queue.enqueue(
      db,
      ingestDocumentJobType,
      { projectId: project.id, documentId },
      {
        group: project.organizationId,
        priority: -(earlier + index + 1),
        ...(delaySeconds !== undefined && { delaySeconds }),
      },
    );
  }
}

/** SQL for the number of documents of a project that are not processed yet. */
export const waitingDocumentsSql = (projectId: string) => `(
    select count(*)::integer from (
      select from grounded.documents
      where project_id = ${projectId} and status = 'PROCESSING' limit ${maxCountedDocuments}) as waiting)`;
