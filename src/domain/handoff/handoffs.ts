import type { Context } from '../context.ts';
import { escapeLike } from '../escape-like.ts';
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

/** All that are given must hold. */
export interface HandoffFilter {
  readonly status?: HandoffStatus | null;
  /** The member's e-mail address, in any case. */
  readonly claimedBy?: string | null;
  /** Case-insensitive, anywhere in name, e-mail address, reason or the conversation's title. */
  readonly search?: string | null;
}

/** The project's handoffs, the latest request first; `query` says which part of them. */
export async function listHandoffs(
  context: Context,
  input: HandoffFilter & { readonly projectId?: string | null },
  query: Pick<Prisma.HandoffFindManyArgs, 'include' | 'cursor' | 'take' | 'skip'> = {},
): Promise<Handoff[]> {
  const { id: projectId } = await requireProject(context, input.projectId, 'conversations:read');
  return context.db.handoff.findMany({
    ...query,
    where: handoffsWhere(projectId, input),
    orderBy: latestFirst,
  });
}

function handoffsWhere(
  projectId: string,
  { status, claimedBy, search }: HandoffFilter,
): Prisma.HandoffWhereInput {
  const part = { contains: escapeLike(search ?? ''), mode: 'insensitive' } as const;
  return {
    projectId,
    ...(status != null && { status }),
    ...(claimedBy != null && { claimedBy: claimedBy.toLowerCase() }),
    ...(search != null &&
      search !== '' && {
        OR: [
          { name: part },
          { email: part },
          { reason: part },
          { conversation: { is: { projectId, title: part } } },
        ],
      }),
  };
}
