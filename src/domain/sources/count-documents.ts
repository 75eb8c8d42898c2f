import { createDataLoader } from '../../platform/data-loader.ts';
import type { Context } from '../context.ts';

/**
 * Returns the number of documents of a source. The caller must already have access to the source. If several sources are
 * requested together, one SQL statement counts all of them, by the index `documents_source`.
 */
export function countDocumentsOf(
  context: Context,
  { id, projectId }: { readonly id: string; readonly projectId: string },
): Promise<number> {
  return loadCount(context, projectId, id, async (ids) => {
    const counts = await context.db.document.groupBy({
      by: ['sourceId'],
      where: { projectId, sourceId: { in: [...ids] }, deletedAt: null },
      _count: true,
    });
    const countOf = new Map(counts.map(({ sourceId, _count }) => [sourceId, _count]));
    return ids.map((id) => countOf.get(id) ?? 0);
  });
}

const loadCount = createDataLoader<string, number>();
