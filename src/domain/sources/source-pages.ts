import type { SourcePage } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { Context } from '../context.ts';
import { deleteIfExists } from './remove-source.ts';

/** A page of an earlier run. `hasDocument` is false if its document was deleted by hand. */
export type KnownPage = SourcePage & { readonly hasDocument: boolean };

export interface PageOwner {
  readonly projectId: string;
  readonly sourceId: string;
  readonly runId: string;
}

/** Returns what is known of the page, or null. */
export async function findPage(
  { db }: Context,
  { projectId, sourceId }: PageOwner,
  url: string,
): Promise<KnownPage | null> {
  const page = await db.sourcePage.findFirst({ where: { sourceId, projectId, url } });
  if (page === null) return null;
  const { externalId } = page;
  const hasDocument =
    externalId !== null &&
    (await db.document.count({ where: { projectId, sourceId, externalId } })) > 0;
  return { ...page, hasDocument };
}

/** Stores what the run has found out about a page. */
export async function storePage(
  { db }: Context,
  { projectId, sourceId, runId }: PageOwner,
  url: string,
  data: Pick<SourcePage, 'externalId' | 'etag' | 'lastModified'> & { links: string[] },
): Promise<void> {
  await db.sourcePage.upsert({
    where: { sourceId_url: { sourceId, url } },
    create: { sourceId, projectId, url, runId, ...data },
    update: { runId, ...data },
  });
}

/** Notes that the page has not changed, or could not be read. */
export async function keepPage(
  { db }: Context,
  { projectId, sourceId, runId }: PageOwner,
  url: string,
): Promise<void> {
  await db.sourcePage.updateMany({ where: { sourceId, projectId, url }, data: { runId } });
}

/** Deletes a page that no longer exists, with its document. Returns the number of deleted documents. */
export async function removePage(context: Context, page: KnownPage): Promise<number> {
  const { projectId, sourceId, url, externalId } = page;
  await context.db.sourcePage.deleteMany({ where: { sourceId, projectId, url } });
  if (externalId === null) return 0;
  const document = await context.db.document.findFirst({
    where: { projectId, sourceId, externalId },
    select: { id: true },
  });
  return document !== null && (await deleteIfExists(context, projectId, document.id)) ? 1 : 0;
}

/**
 * Deletes the documents of the source that no page of this run has, and the pages that the run has not found. Yields
 * after each deleted document.
 */
export async function* removeUnseen(
  context: Context,
  { projectId, sourceId, runId }: PageOwner,
): AsyncGenerator<void> {
  for (;;) {
    const documents = await runSql<{ id: string }>(
      context.pool,
      `select id from grounded.documents document
       where project_id = $1::uuid and source_id = $2::uuid and not exists (
         select from grounded.source_pages page
         where page.source_id = $2::uuid and page.run_id = $3::uuid and page.external_id = document.external_id)
       order by id limit 100`,
      [projectId, sourceId, runId],
    );
    if (documents.length === 0) break;
    for (const { id } of documents) {
      context.signal.throwIfAborted();
      await deleteIfExists(context, projectId, id);
      yield;
    }
  }
  await context.db.sourcePage.deleteMany({ where: { sourceId, projectId, runId: { not: runId } } });
}
