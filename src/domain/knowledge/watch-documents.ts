import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import { requireProject } from '../organizations/require-project.ts';
import { subscribeCaller } from '../subscriptions/subscribe-caller.ts';
import { watchRows } from '../subscriptions/watch-rows.ts';
import type { Document } from './documents.ts';
import { callerFilter, isVisibleDocument } from './filter/caller-filter.ts';

/**
 * Subscribes to the project's documents. Yields the current state of a document after it is created or its status
 * changes. Does not report deletions. The subscription closes in the same cases as `watchInbox`.
 *
 * @throws DomainError from `requireProject`.
 */
export async function watchDocuments(
  context: Context,
  input: { readonly projectId?: string | null },
  query: Prisma.DocumentDefaultArgs = {},
): Promise<AsyncGenerator<Document, void, undefined>> {
  const permission = 'knowledge:read';
  const { id: projectId } = await requireProject(context, input.projectId, permission);
  const subscription = subscribeCaller(context, { topic: 'documents', projectId });
  const rows = watchRows(context, subscription, {
    projectId,
    permission,
    find: (where, take) =>
      context.db.document.findMany({
        ...query,
        where: { ...where, deletedAt: null },
        orderBy: oldestChangeFirst,
        take,
      }),
  });
  return callerFilter(context.caller) === null ? rows : visibleOnly(context, rows);
}

/** Omits documents that the filter of the calling API key excludes. */
async function* visibleOnly(
  context: Context,
  documents: AsyncIterable<Document>,
): AsyncGenerator<Document, void, undefined> {
  for await (const document of documents) {
    if (await isVisibleDocument(context, document)) yield document;
  }
}

const oldestChangeFirst = [
  { updatedAt: 'asc' },
  { id: 'asc' },
] as const satisfies Prisma.DocumentOrderByWithRelationInput[];
