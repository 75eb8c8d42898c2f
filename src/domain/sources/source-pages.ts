import { DomainError } from '../../platform/errors.ts';
import type { SourcePage } from '../../platform/postgres/generated/prisma/client.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import { type Context, transaction } from '../context.ts';
import { releaseStorage, resizeStorage } from '../usage/storage-quota.ts';

/** A page or file that an earlier run has stored. `hasDocument` is false if its document was deleted by hand. */
export type KnownPage = SourcePage & { readonly hasDocument: boolean };

export interface PageOwner {
  readonly projectId: string;
  readonly sourceId: string;
  readonly runId: string;
}

/** Returns the stored data of a page, or null if there is none. */
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

/** Returns the stored data of pages. The keys of the map are their addresses. */
export async function findPages(
  { db }: Context,
  { projectId, sourceId }: PageOwner,
  urls: readonly string[],
): Promise<Map<string, KnownPage>> {
  const pages = await db.sourcePage.findMany({
    where: { sourceId, projectId, url: { in: [...urls] } },
  });
  const externalIds = pages.flatMap(({ externalId }) => externalId ?? []);
  const documents = await db.document.findMany({
    where: { projectId, sourceId, externalId: { in: externalIds } },
    select: { externalId: true },
  });
  const existing = new Set(documents.map(({ externalId }) => externalId));
  return new Map(
    pages.map((page) => [page.url, { ...page, hasDocument: existing.has(page.externalId) }]),
  );
}

/**
 * Stores the result of the run for a page. Without `etag` and `lastModified`, the next run reads the page again. The
 * page's address, its links and the list of what is left out count as stored bytes of the organization.
 * @throws DomainError QUOTA_EXCEEDED when these bytes exceed the organization's storage
 */
export async function storePage(
  context: Context,
  owner: PageOwner,
  url: string,
  data: Pick<SourcePage, 'externalId' | 'etag'> &
    Partial<Pick<SourcePage, 'lastModified' | 'refusal' | 'leftOut' | 'textKey'>> & {
      readonly links?: string[];
    },
): Promise<void> {
  const { projectId, sourceId, runId } = owner;
  const { links = [], leftOut = [] } = data;
  const sizeBytes = [url, ...links, ...leftOut].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    0,
  );
  await transaction(context, async ({ db }) => {
    const organizationId = await lockSource(db, owner);
    const select = { sizeBytes: true };
    const stored = await db.sourcePage.findFirst({ where: { sourceId, projectId, url }, select });
    const storedBytes = stored?.sizeBytes ?? 0;
    if (sizeBytes !== storedBytes) {
      await resizeStorage(db, organizationId, storedBytes, sizeBytes);
    }
    const page = { ...data, links, leftOut, sizeBytes, runId };
    await db.sourcePage.upsert({
      where: { sourceId_url: { sourceId, url } },
      create: { sourceId, projectId, url, ...page },
      update: page,
    });
  });
}

/**
 * Deletes the pages that the run `runId` has not found, and releases their storage. If `runId` is null, deletes all
 * pages of the source.
 */
export async function deletePages(
  context: Context,
  source: Pick<PageOwner, 'projectId' | 'sourceId'>,
  runId: string | null,
): Promise<void> {
  await transaction(context, async ({ db }) => {
    const organizationId = await lockSource(db, source);
    const [deleted] = await runSql<{ bytes: number }>(
      db,
      `with deleted as (
         delete from grounded.source_pages
         where source_id = $2::uuid and project_id = $1::uuid and run_id is distinct from $3::uuid
         returning size_bytes
       )
       select coalesce(sum(size_bytes), 0)::float8 as bytes from deleted`,
      [source.projectId, source.sourceId, runId],
    );
    await releaseStorage(db, organizationId, deleted?.bytes ?? 0);
  });
}

/**
 * Lets only one process at a time change the pages of a source and the bytes that they use. Returns the organization.
 */
async function lockSource(
  db: Context['db'],
  { projectId, sourceId }: Pick<PageOwner, 'projectId' | 'sourceId'>,
): Promise<string> {
  const [source] = await runSql<{ organizationId: string }>(
    db,
    `select project.organization_id as "organizationId"
     from grounded.sources source join grounded.projects project on project.id = source.project_id
     where source.project_id = $1::uuid and source.id = $2::uuid for no key update of source`,
    [projectId, sourceId],
  );
  if (source === undefined) throw new DomainError('NOT_FOUND', 'Source not found');
  return source.organizationId;
}

/** Stores that the pages have not changed or could not be read, so that the run keeps them. */
export async function keepPages(
  { db }: Context,
  { projectId, sourceId, runId }: PageOwner,
  urls: readonly string[],
): Promise<void> {
  if (urls.length === 0) return;
  const where = { sourceId, projectId, url: { in: [...urls] } };
  await db.sourcePage.updateMany({ where, data: { runId } });
}

/** Yields the addresses of all stored pages of a source. */
export async function* listPageUrls(
  { db }: Context,
  { id: sourceId, projectId }: { readonly id: string; readonly projectId: string },
): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const pages = await db.sourcePage.findMany({
      where: { sourceId, projectId, url: { gt: after } },
      ...{ select: { url: true }, orderBy: { url: 'asc' }, take: 500 },
    });
    for (const { url } of pages) yield url;
    const last = pages.at(-1);
    if (last === undefined) return;
    after = last.url;
  }
}
