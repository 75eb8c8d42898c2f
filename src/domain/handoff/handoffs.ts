import type { Context } from '../context.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { HandoffStatus } from '../generated/prisma/enums.ts';
import { requireProject } from '../organizations/require-project.ts';

/** A conversation's way to people: asked for, taken by one of them, done. */
export type Handoff = Prisma.HandoffGetPayload<object>;

/** The latest request first. */
export const latestFirst = [
  { requestedAt: 'desc' },
  { id: 'desc' },
] as const satisfies Prisma.HandoffOrderByWithRelationInput[];

/** The project's handoffs, the latest request first; `query` says which part of them. */
export async function listHandoffs(
  context: Context,
  input: { readonly projectId?: string | null; readonly status?: HandoffStatus | null },
  query: Pick<Prisma.HandoffFindManyArgs, 'include' | 'cursor' | 'take' | 'skip'> = {},
): Promise<Handoff[]> {
  const { id: projectId } = await requireProject(context, input.projectId, 'conversations:read');
  return context.db.handoff.findMany({
    ...query,
    where: { projectId, ...(input.status != null && { status: input.status }) },
    orderBy: latestFirst,
  });
}
