import { type Context, transaction } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Handoff } from './handoffs.ts';
import { lockConversation } from './lock-conversation.ts';
import { requireWorkOnHandoff, type Work } from './require-work.ts';

/**
 * Gives `change` a handoff as it stands while nobody else can change it, in one transaction, with what `query` asks
 * for beside it. Throws what `requireProject` throws, and `NOT_FOUND` for the handoff.
 */
export async function changeHandoff(
  context: Context,
  handoffId: string,
  query: Prisma.HandoffDefaultArgs,
  change: (context: Context, handoff: Handoff, work: Work) => Promise<Handoff>,
): Promise<Handoff> {
  const work = await requireWorkOnHandoff(context, handoffId);
  const { projectId, conversationId } = work;
  return transaction(context, async (context) => {
    await lockConversation(context.db, projectId, conversationId);
    const where = { id: handoffId, projectId };
    const handoff = await context.db.handoff.findFirst({ ...query, where });
    if (handoff === null) throw notFound('Handoff');
    return change(context, handoff, work);
  });
}
