import { DomainError, notFound } from '../../platform/errors.ts';
import { nameKeyCaller } from '../api-keys/name-key-caller.ts';
import type { Context } from '../context.ts';
import { findMembership, type Member } from '../organizations/members.ts';
import { roleHasPermission } from '../permissions.ts';

/** Who works on a handoff. */
export interface Agent {
  /**
   * The name that is stored: the member's e-mail address, which is unique in the organization; `key:` and the name of an
   * API key; or `service`.
   */
  readonly operator: string;
  /** The name that end users see. Null if there is none. */
  readonly displayName: string | null;
}

/**
 * Returns who works on a handoff: the caller. If an API key or the service acts for a member, `agent` is the e-mail
 * address of the member, who is returned.
 *
 * @throws DomainError FORBIDDEN when an operator names another member.
 * @throws DomainError from `requireAssignee`.
 */
export async function resolveAgent(
  context: Context,
  organizationId: string,
  agent: string | null | undefined,
): Promise<Agent> {
  const { caller } = context;
  const member = await findMembership(context, organizationId);
  if (agent != null && agent.toLowerCase() !== member?.email) {
    if (caller.type === 'operator') {
      throw new DomainError('FORBIDDEN', 'Only an API key may act in the name of another member');
    }
    return agentOf(await requireAssignee(context, organizationId, agent));
  }
  if (member !== null) return agentOf(member);
  const operator = caller.type === 'key' ? await nameKeyCaller(context, caller) : caller.type;
  return { operator, displayName: null };
}

function agentOf({ email, displayName }: Member): Agent {
  return { operator: email, displayName };
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
