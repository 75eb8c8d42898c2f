import { isId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';

/**
 * Returns the Prisma filter for conversations that have this label of the project. For an unknown id, no conversation
 * matches.
 */
export function withLabel(projectId: string, labelId: string): Prisma.ConversationWhereInput {
  if (!isId(labelId)) return { id: { in: [] } };
  return { labels: { some: { projectId, labelId } } };
}
