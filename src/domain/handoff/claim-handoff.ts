import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { assignHandoff } from './assign-handoff.ts';
import { changeHandoff } from './change-handoff.ts';
import type { Handoff } from './handoffs.ts';

/**
 * Takes a handoff: from now on the caller has the conversation, not the assistant. The caller's own is given back as
 * it is. `query` says what is read beside it. Throws what `requireProject` throws, `NOT_FOUND` for the handoff, and
 * `CONFLICT` for one that somebody else has or that is resolved.
 */
export async function claimHandoff(
  context: Context,
  { handoffId }: { readonly handoffId: string },
  query: Prisma.HandoffDefaultArgs = {},
): Promise<Handoff> {
  return changeHandoff(context, handoffId, query, async (context, handoff, work) => {
    switch (handoff.status) {
      case 'REQUESTED':
        return assignHandoff(context, handoff, work, work.operator, query);
      case 'CLAIMED':
        if (handoff.claimedBy === work.operator) return handoff;
        throw new DomainError('CONFLICT', 'Somebody else has claimed the handoff');
      case 'RESOLVED':
        throw new DomainError('CONFLICT', 'The handoff is resolved');
    }
  });
}
