import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import { closeHandoff } from './close-handoff.ts';
import type { Handoff } from './handoffs.ts';
import type { HandoffTarget } from './require-handoff-access.ts';

/**
 * Resolves a handoff and gives the conversation back to the assistant. The conversation stays open. If the handoff is
 * already resolved, it is returned unchanged.
 *
 * @throws DomainError from `requireProject`.
 * @throws DomainError NOT_FOUND when the handoff does not exist.
 */
export async function returnToAssistant(
  context: Context,
  target: Omit<HandoffTarget, 'agent'>,
  query: Prisma.HandoffDefaultArgs = {},
): Promise<Handoff> {
  return closeHandoff(context, target, 'OPEN', query);
}
