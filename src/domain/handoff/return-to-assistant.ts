import type { Context } from '../context.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { endHandoff } from './end-handoff.ts';
import type { Handoff } from './handoffs.ts';

/**
 * Ends a handoff and leaves the conversation, which stays open, to the assistant. A resolved handoff is given back as
 * it is. Throws what `requireProject` throws, and `NOT_FOUND` for the handoff.
 */
export async function returnToAssistant(
  context: Context,
  { handoffId }: { readonly handoffId: string },
  query: Prisma.HandoffDefaultArgs = {},
): Promise<Handoff> {
  return endHandoff(context, handoffId, 'OPEN', query);
}
