import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import { closeHandoff } from './close-handoff.ts';
import type { Handoff } from './handoffs.ts';
import type { HandoffTarget } from './require-handoff-access.ts';

/**
 * Resolves a handoff and its conversation. The end user's next message reopens the conversation. If the handoff is
 * already resolved, it is returned unchanged.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the handoff does not exist.
 */
export async function resolveHandoff(
  context: Context,
  target: Omit<HandoffTarget, 'agent'>,
  query: Prisma.HandoffDefaultArgs = {},
): Promise<Handoff> {
  return closeHandoff(context, target, 'RESOLVED', query);
}
