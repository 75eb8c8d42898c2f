import { isId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';

/** Returns the Prisma filter of conversations that have this label of the project. An unknown id matches none. */
export function withLabel(projectId: string, labelId: string): Prisma.ConversationWhereInput {
  if (!isId(labelId)) return { id: { in: [] } };
  return { labels: { some: { projectId, labelId } } };
}
