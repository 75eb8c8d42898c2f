import type { SourcePage } from '../../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../../context.ts';
import type { PageOwner } from '../source-pages.ts';

/** State of an item after the latest run. `hasDocument` is false if its document was deleted by hand. */
export type KnownItem = SourcePage & { readonly hasDocument: boolean };

/** Returns the stored items, by id. */
export async function findItems(
  { db }: Context,
  { projectId, sourceId }: PageOwner,
  ids: readonly string[],
): Promise<Map<string, KnownItem>> {
  const where = { sourceId, projectId, url: { in: [...ids] } };
  const pages = await db.sourcePage.findMany({ where });
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

/** Notes that the items have not changed, or cannot be read now. */
export async function keepItems(
  { db }: Context,
  { projectId, sourceId, runId }: PageOwner,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const where = { sourceId, projectId, url: { in: [...ids] } };
  await db.sourcePage.updateMany({ where, data: { runId } });
}

/** Stores what the run has found out about an item. Without `version`, the next run reads it again. */
export async function storeItem(
  { db }: Context,
  { projectId, sourceId, runId }: PageOwner,
  id: string,
  item: {
    readonly externalId: string | null;
    readonly version: string | null;
    readonly refusal: string | null;
  },
): Promise<void> {
  const { externalId, version: etag, refusal } = item;
  await db.sourcePage.upsert({
    where: { sourceId_url: { sourceId, url: id } },
    create: { sourceId, projectId, url: id, runId, externalId, etag, refusal },
    update: { runId, externalId, etag, refusal },
  });
}
