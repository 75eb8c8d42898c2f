import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import { type ListPart, selectPart } from '../list-place.ts';
import { requireProject } from '../organizations/require-project.ts';
import type { HandoffSatisfaction } from './satisfaction-window.ts';

/** Conditions for ratings. All given conditions must match. */
export interface RatingFilter {
  readonly projectId?: string | null;
  /** Lowest rating, inclusive. */
  readonly minRating?: number | null;
  /** Highest rating, inclusive. */
  readonly maxRating?: number | null;
  /**
   * The agent who resolved the handoff: a member's e-mail address (case is ignored), or `key:` and the name of an API
   * key.
   */
  readonly agent?: string | null;
}

/**
 * Returns the ratings of the project's handoffs, sorted by the time of the first rating, latest first. `query` selects
 * the page and relations.
 *
 * @throws DomainError from `requireProject`.
 */
export async function listRatings(
  context: Context,
  input: RatingFilter,
  query: Pick<Prisma.HandoffSatisfactionFindManyArgs, 'include'> & ListPart = {},
): Promise<HandoffSatisfaction[]> {
  const { id: projectId } = await requireProject(context, input.projectId, 'conversations:read');
  const { minRating, maxRating, agent } = input;
  const where: Prisma.HandoffSatisfactionWhereInput = {
    projectId,
    rating: { not: null, gte: minRating ?? undefined, lte: maxRating ?? undefined },
    ...(agent != null && { agent: { in: [agent, agent.toLowerCase()] } }),
  };
  const { include, ...part } = query;
  return context.db.handoffSatisfaction.findMany({
    include,
    ...selectPart(part, where, latestFirst),
  });
}

const latestFirst = [{ ratedAt: 'desc' }, { handoffId: 'desc' }] as const;
