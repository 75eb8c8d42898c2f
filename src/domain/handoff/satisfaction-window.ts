import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';

/**
 * The question how satisfied the end user was with the agent who resolved a handoff. `rating` is the answer, 1 (very
 * dissatisfied) to 5 (very satisfied), or null.
 */
export type HandoffSatisfaction = Prisma.HandoffSatisfactionGetPayload<object>;

const hourMs = 60 * 60 * 1000;
/** Time after the handoff was resolved in which the first rating is accepted. */
export const firstRatingDays = 14;
/** Time after the first rating in which it can be changed. */
export const changeHours = 24;

/** Returns when the window closes in which the rating can be given, or changed after it was given. */
export function ratableUntil({
  askedAt,
  ratedAt,
}: Pick<HandoffSatisfaction, 'askedAt' | 'ratedAt'>): Date {
  return ratedAt === null
    ? new Date(askedAt.getTime() + firstRatingDays * 24 * hourMs)
    : new Date(ratedAt.getTime() + changeHours * hourMs);
}
