import type { Context } from '../../context.ts';
import { addWarning, type RunReport } from '../run-report.ts';
import type { PageOwner } from '../source-pages.ts';

/** Returns the address of another page of this run that has the same text and a document, or null. */
export async function findCopiedPage(
  { db }: Context,
  { projectId, sourceId, runId }: PageOwner,
  url: string,
  textKey: string,
): Promise<string | null> {
  const where = { sourceId, projectId, runId, textKey, externalId: { not: null } };
  const select = { url: true };
  const page = await db.sourcePage.findFirst({ where: { ...where, url: { not: url } }, select });
  return page?.url ?? null;
}

/** Adds one warning for all pages of this run that are copies of other pages. It names the first of them. */
export async function warnOfCopies(
  context: Context,
  owner: PageOwner,
  report: RunReport,
): Promise<void> {
  const { projectId, sourceId, runId } = owner;
  const where = { sourceId, projectId, runId, textKey: { not: null }, externalId: null };
  const count = await context.db.sourcePage.count({ where });
  const example = await context.db.sourcePage.findFirst({ where, orderBy: { url: 'asc' } });
  if (example?.textKey == null) return;
  const copied = await findCopiedPage(context, owner, example.url, example.textKey);
  const left =
    count === 1
      ? '1 page is left out, because it has'
      : `${count} pages are left out, because they have`;
  addWarning(
    report,
    example.url,
    `${left} the same text as another page. This one is a copy of ${copied}`,
  );
}
