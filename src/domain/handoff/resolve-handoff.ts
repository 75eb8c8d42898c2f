import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import { closeHandoff } from './close-handoff.ts';
import type { Handoff } from './handoffs.ts';

/**
 * Resolves a handoff and its conversation. The end user's next message reopens the conversation. A resolved handoff is
 * returned unchanged.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the handoff does not exist.
 */
export async function resolveHandoff(
  context: Context,
  { handoffId }: { readonly handoffId: string },
  query: Prisma.HandoffDefaultArgs = {},
): Promise<Handoff> {
  return closeHandoff(context, handoffId, 'RESOLVED', query);
}
