import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { deleteSourceDocument } from '../knowledge/delete-documents.ts';
import { type ClaimedRun, countChange, type RunReport, storeReport } from './run-report.ts';
import { deletePages, type PageOwner } from './source-pages.ts';

/**
 * Deletes the documents of the source that belong to no page of this run, and deletes the pages that the run has not
 * found. Counts the documents in the report, and stores the report after each document. A run needs a confirmation if
 * it would delete more than a third of the documents and more than `freeRemovals`. Without the confirmation, keeps the
 * documents and returns the reason.
 */
export async function removeUnseen(
  context: Context,
  source: RemovalOwner,
  run: ClaimedRun,
  report: RunReport,
): Promise<string | null> {
  const { projectId, sourceId, runId } = source;
  const held = await countHeldRemovals(context, source, report);
  if (held > 0) {
    report.heldRemovals = held;
    await storeReport(context, run, report);
    return `The run would delete ${held} documents, which are no longer in the source, and has kept them. Check the source, then confirm the deletion`;
  }
  for (;;) {
    const documents = await runSql<{ id: string; name: string }>(
      context.pool,
      `select id, name from grounded.documents document where ${unseenSql} order by id limit 100`,
      [projectId, sourceId, runId],
    );
    if (documents.length === 0) break;
    for (const { id, name } of documents) {
      context.signal.throwIfAborted();
      if (await deleteSourceDocument(context, { projectId, id })) {
        countChange(report, 'removed', name);
      }
      await storeReport(context, run, report);
    }
  }
  await deletePages(context, source, runId);
  return null;
}

type RemovalOwner = PageOwner & { readonly confirmsRemovals: boolean };

const unseenSql = `project_id = $1::uuid and source_id = $2::uuid and not exists (
  select from grounded.source_pages page
  where page.source_id = $2::uuid and page.run_id = $3::uuid and page.external_id = document.external_id)`;

/** A run may delete this many documents without a confirmation, even if they are more than a third of all documents. */
const freeRemovals = 5;

/** Returns how many documents the run must keep until their deletion is confirmed. 0 if no confirmation is needed. */
async function countHeldRemovals(
  { pool }: Context,
  { projectId, sourceId, runId, confirmsRemovals }: RemovalOwner,
  { added, removed }: RunReport,
): Promise<number> {
  // If documents were already deleted, an earlier process has started the deletion before it died. It was allowed then.
  if (!confirmsRemovals || removed > 0) return 0;
  const [counts] = await runSql<{ unseen: number; all: number; isConfirmed: boolean }>(
    pool,
    `select (select count(*)::int from grounded.documents document where ${unseenSql}) as unseen,
       (select count(*)::int from grounded.documents where project_id = $1::uuid and source_id = $2::uuid) as all,
       (select is_removal_confirmed from grounded.source_runs where id = $3::uuid) as "isConfirmed"`,
    [projectId, sourceId, runId],
  );
  if (counts === undefined || counts.isConfirmed) return 0;
  const isLarge = counts.unseen > freeRemovals && counts.unseen * 3 > counts.all - added;
  return isLarge ? counts.unseen : 0;
}
