import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';

/**
 * How satisfied the end user was with the agent who resolved a handoff. `rating` is 1 (very dissatisfied) to 5 (very
 * satisfied), or null if the end user was asked but has not answered.
 */
export type HandoffSatisfaction = Prisma.HandoffSatisfactionGetPayload<object>;

const hourMs = 60 * 60 * 1000;
/** The first rating is accepted until this many days after the handoff was resolved. */
export const firstRatingDays = 14;
/** A rating can be changed until this many hours after it was first given. */
export const changeHours = 24;

/** Returns the time until which the rating can be given or, if it was given already, be changed. */
export function ratableUntil({
  askedAt,
  ratedAt,
}: Pick<HandoffSatisfaction, 'askedAt' | 'ratedAt'>): Date {
  return ratedAt === null
    ? new Date(askedAt.getTime() + firstRatingDays * 24 * hourMs)
    : new Date(ratedAt.getTime() + changeHours * hourMs);
}
