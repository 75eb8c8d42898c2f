import { DomainError, notFound } from '../../platform/errors.ts';
import { nameKeyCaller } from '../api-keys/name-key-caller.ts';
import type { Context } from '../context.ts';
import { findMembership, type Member } from '../organizations/members.ts';
import { roleHasPermission } from '../permissions.ts';

/**
 * Returns the name that is stored for the caller's work on handoffs: an operator's e-mail address, `key:` and the name
 * of an API key, or `service`. If an API key or the service acts for a member, `agent` is the member's e-mail address
 * and is returned.
 *
 * @throws DomainError FORBIDDEN when an operator names another member.
 * @throws DomainError from `requireAssignee`.
 */
export async function resolveAgent(
  context: Context,
  organizationId: string,
  agent: string | null | undefined,
): Promise<string> {
  const { caller } = context;
  const member = await findMembership(context, organizationId);
  const own = member?.email ?? null;
  if (agent != null && agent.toLowerCase() !== own) {
    if (caller.type === 'operator') {
      throw new DomainError('FORBIDDEN', 'Only an API key may act in the name of another member');
    }
    return (await requireAssignee(context, organizationId, agent)).email;
  }
  if (own !== null) return own;
  return caller.type === 'key' ? nameKeyCaller(context, caller) : caller.type;
}

/**
 * Returns the member with this e-mail address. Ignores case.
 *
 * @throws DomainError NOT_FOUND when the organization has no such member.
 * @throws DomainError CONFLICT when the member's role cannot take handoffs.
 */
export async function requireAssignee(
  { db }: Context,
  organizationId: string,
  address: string,
): Promise<Member> {
  const email = address.toLowerCase();
  const where = { organizationId_email: { organizationId, email } };
  const member = await db.member.findUnique({ where });
  if (member === null) throw notFound('Member');
  if (!roleHasPermission(member.role, 'handoffs:work')) {
    const message = `A member with the role ${member.role} cannot take a handoff`;
    throw new DomainError('CONFLICT', message);
  }
  return member;
}
