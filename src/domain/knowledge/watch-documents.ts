import type { Context } from '../context.ts';
import { watchRows } from '../events/watch-rows.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { requireProject } from '../organizations/require-project.ts';
import type { Document } from './documents.ts';

/**
 * The project's documents, each when it is made and when its status has changed, as it is then. One that is deleted
 * is not told of. Ends as `watchInbox` does. Throws what `requireProject` throws.
 */
export async function watchDocuments(
  context: Context,
  input: { readonly projectId?: string | null },
  query: Prisma.DocumentDefaultArgs = {},
): Promise<AsyncGenerator<Document, void, undefined>> {
  const permission = 'knowledge:read';
  const { id: projectId } = await requireProject(context, input.projectId, permission);
  const watch = context.events.watch({ topic: 'documents', projectId }, context.signal);
  return watchRows(context, watch, {
    projectId,
    permission,
    find: (where, take) =>
      context.db.document.findMany({ ...query, where, orderBy: oldestChangeFirst, take }),
  });
}

const oldestChangeFirst = [
  { updatedAt: 'asc' },
  { id: 'asc' },
] as const satisfies Prisma.DocumentOrderByWithRelationInput[];
