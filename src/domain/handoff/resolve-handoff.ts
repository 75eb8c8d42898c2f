import type { Context } from '../context.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { endHandoff } from './end-handoff.ts';
import type { Handoff } from './handoffs.ts';

/**
 * Ends a handoff and its conversation, which the end user's next message opens again. A resolved handoff is given
 * back as it is. Throws what `requireProject` throws, and `NOT_FOUND` for the handoff.
 */
export async function resolveHandoff(
  context: Context,
  { handoffId }: { readonly handoffId: string },
  query: Prisma.HandoffDefaultArgs = {},
): Promise<Handoff> {
  return endHandoff(context, handoffId, 'RESOLVED', query);
}
