import type { Context } from '../context.ts';
import { findMembership } from '../organizations/members.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import type { ConversationEvent } from './conversation-events.ts';

/** Limits, together with the index by agent and time, how many rows a request reads. */
const recentMs = 60 * 60 * 1_000;
const maxAssignments = 20;

/**
 * Returns the handoffs that were assigned or transferred to the calling member in the last hour, in all projects of the
 * organization, newest first, at most 20. Omits conversations that the member no longer owns. Returns an empty list if
 * the caller is not a member.
 *
 * @throws DomainError from `requireOrganization`.
 */
export async function listRecentAssignments(
  context: Context,
  { organizationId }: { readonly organizationId: string },
): Promise<ConversationEvent[]> {
  await requireOrganization(context, organizationId, 'handoffs:work');
  const member = await findMembership(context, organizationId);
  if (member === null) return [];
  const { email } = member;
  const { db } = context;
  const project = { is: { organizationId } };
  const assignments = await db.conversationEvent.findMany({
    where: {
      agent: email,
      type: { in: ['ASSIGNED', 'TRANSFERRED'] },
      createdAt: { gt: new Date(Date.now() - recentMs) },
      project,
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: maxAssignments,
  });
  if (assignments.length === 0) return [];
  // A separate statement, so that Postgres never chooses a plan that first reads the handoffs of all agents.
  const conversationIds = assignments.map(({ conversationId }) => conversationId);
  const owned = await db.handoff.findMany({
    where: {
      project,
      conversationId: { in: conversationIds },
      status: 'CLAIMED',
      claimedBy: email,
    },
    select: { conversationId: true },
  });
  const ownedIds = new Set(owned.map(({ conversationId }) => conversationId));
  return assignments.filter(({ conversationId }) => ownedIds.has(conversationId));
}
