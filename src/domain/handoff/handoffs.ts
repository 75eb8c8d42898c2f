import { escapeLike } from '../../platform/postgres/escape-like.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { HandoffStatus } from '../../platform/postgres/generated/prisma/enums.ts';
import type { Context } from '../context.ts';
import { withLabel } from '../labels/with-label.ts';
import { type ListPart, selectPart } from '../list-place.ts';
import { type Page, type PageInput, readPage } from '../offset-pagination.ts';
import { requireProject } from '../organizations/require-project.ts';

/** A request for a human agent. An agent can claim it and resolve it. */
export type Handoff = Prisma.HandoffGetPayload<object>;

/** Sort order of handoffs: latest request first. */
export const latestFirst = [
  { requestedAt: 'desc' },
  { id: 'desc' },
] as const satisfies Prisma.HandoffOrderByWithRelationInput[];

/** Sort orders of lists of handoffs. */
const orders = {
  LATEST_FIRST: latestFirst,
  OLDEST_FIRST: [{ requestedAt: 'asc' }, { id: 'asc' }],
} as const satisfies Record<string, readonly Prisma.HandoffOrderByWithRelationInput[]>;
export type HandoffOrder = keyof typeof orders;

/** Conditions for handoffs. All given conditions must match. */
export interface HandoffFilter {
  readonly status?: HandoffStatus | null;
  /**
   * Agent who claimed the handoff: the member's e-mail address (case is ignored), or `key:` and the name of an API key.
   */
  readonly claimedBy?: string | null;
  /**
   * Text that one of these must contain: the end user's name or e-mail address, the reason, or the title of the
   * conversation. Ignores case.
   */
  readonly search?: string | null;
  /** Id of a label that the conversation must have. */
  readonly labelId?: string | null;
  /**
   * If true, returns only the latest handoff of each conversation, so that each conversation is listed once. `search`
   * then also searches the texts of its earlier handoffs.
   */
  readonly latestOnly?: boolean | null;
  /** If true, returns only open handoffs that are past a due time. */
  readonly isOverdue?: boolean | null;
}

interface HandoffListInput extends HandoffFilter {
  readonly projectId?: string | null;
  /** Order by the time of the request. Default: latest first. */
  readonly order?: HandoffOrder;
}

/**
 * Returns the project's handoffs, by default the latest request first. `query` selects the page and relations.
 *
 * @throws DomainError from `requireProject`.
 */
export async function listHandoffs(
  context: Context,
  input: HandoffListInput,
  query: Pick<Prisma.HandoffFindManyArgs, 'include'> & ListPart = {},
): Promise<Handoff[]> {
  const { id: projectId } = await requireProject(context, input.projectId, 'conversations:read');
  const { include, ...part } = query;
  const order = orders[input.order ?? 'LATEST_FIRST'];
  return context.db.handoff.findMany({
    include,
    ...selectPart(part, handoffsWhere(projectId, input), order),
  });
}

/**
 * Returns one page of the project's handoffs, by default the latest request first.
 *
 * @throws DomainError from `requireProject`.
 */
export async function listHandoffsByPage(
  context: Context,
  input: HandoffListInput & PageInput,
): Promise<Page<Handoff>> {
  const { id: projectId } = await requireProject(context, input.projectId, 'conversations:read');
  const where = handoffsWhere(projectId, input);
  const order = orders[input.order ?? 'LATEST_FIRST'];
  return readPage(
    input,
    (part) => context.db.handoff.findMany(selectPart(part, where, order)),
    () => context.db.handoff.count({ where }),
  );
}

function handoffsWhere(
  projectId: string,
  { status, claimedBy, search, labelId, latestOnly, isOverdue }: HandoffFilter,
): Prisma.HandoffWhereInput {
  const part = { contains: escapeLike(search ?? ''), mode: 'insensitive' } as const;
  const texts = [{ name: part }, { email: part }, { reason: part }];
  return {
    projectId,
    ...(latestOnly === true && { isLatest: true }),
    ...(status != null && { status }),
    ...(isOverdue === true && overdueAt(new Date())),
    ...(claimedBy != null && { claimedBy: { in: [claimedBy, claimedBy.toLowerCase()] } }),
    ...(labelId != null && {
      conversation: { is: { projectId, ...withLabel(projectId, labelId) } },
    }),
    ...(search != null &&
      search !== '' && {
        OR: [
          ...texts,
          { conversation: { is: { projectId, title: part } } },
          ...(latestOnly === true
            ? [
                {
                  conversation: { is: { projectId, handoffs: { some: { projectId, OR: texts } } } },
                },
              ]
            : []),
        ],
      }),
  };
}

function overdueAt(now: Date): Prisma.HandoffWhereInput {
  const isWithoutReply = { firstReplyAt: null, firstReplyDueAt: { lt: now } };
  return { resolvedAt: null, AND: [{ OR: [isWithoutReply, { resolutionDueAt: { lt: now } }] }] };
}
