import { notFound } from '../../platform/errors.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import { type Context, transaction } from '../context.ts';
import type { Handoff } from './handoffs.ts';
import { lockConversation } from './lock-conversation.ts';
import {
  type HandoffAccess,
  type HandoffTarget,
  requireHandoffAccess,
} from './require-handoff-access.ts';

/**
 * Runs `change` on a handoff in one transaction that locks its conversation. `query` selects relations of the handoff.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the handoff does not exist.
 */
export async function withLockedHandoff(
  context: Context,
  target: HandoffTarget,
  query: Prisma.HandoffDefaultArgs,
  change: (context: Context, handoff: Handoff, access: HandoffAccess) => Promise<Handoff>,
): Promise<Handoff> {
  const access = await requireHandoffAccess(context, target);
  const { projectId, conversationId } = access;
  return transaction(context, async (context) => {
    await lockConversation(context.db, projectId, conversationId);
    const where = { id: target.handoffId, projectId };
    const handoff = await context.db.handoff.findFirst({ ...query, where });
    if (handoff === null) throw notFound('Handoff');
    return change(context, handoff, access);
  });
}
