import { DomainError, notFound } from '../../platform/errors.ts';
import { type Context, transaction } from '../context.ts';
import { auditMember } from './manage-members.ts';
import { findMembership, type Member } from './members.ts';

/**
 * Changes the name that end users see above the calling operator's replies. Earlier replies keep the name that they
 * were sent with.
 * @param displayName Not blank. Null: end users see no name.
 * @throws DomainError FORBIDDEN when the caller is not an operator
 * @throws DomainError NOT_FOUND when the operator is not a member of the organization
 */
export async function setDisplayName(
  context: Context,
  input: { readonly organizationId: string; readonly displayName: string | null },
): Promise<Member> {
  if (context.caller.type !== 'operator') {
    throw new DomainError('FORBIDDEN', 'Only an operator can choose a display name');
  }
  const member = await findMembership(context, input.organizationId);
  if (member === null) throw notFound('Organization');
  const { id, organizationId } = member;
  const displayName = input.displayName?.trim() ?? null;
  return transaction(context, async (context) => {
    await auditMember(context, 'MEMBER_UPDATED', member, { displayName });
    return context.db.member.update({ where: { id, organizationId }, data: { displayName } });
  });
}
