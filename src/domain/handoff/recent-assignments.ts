import type { Context } from '../context.ts';
import { findMembership } from '../organizations/members.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import type { ConversationEvent } from './conversation-events.ts';

/** Together with the index by agent and time, bounds the rows that a request reads. */
const recentMs = 60 * 60 * 1_000;
const maxAssignments = 20;

/**
 * Returns the latest assignments and transfers to the calling member in the last hour, in all projects of the
 * organization, newest first, at most 20. Leaves out conversations that the member no longer owns. Returns none to a caller
 * who is no member.
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
  // A second statement, so that no plan starts with the handoffs of all agents.
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
