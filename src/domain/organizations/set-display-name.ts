import { notFound } from '../../platform/errors.ts';
import { type Context, transaction } from '../context.ts';
import { auditMember } from './manage-members.ts';
import { findMembership, type Member } from './members.ts';

/**
 * Changes the name that end users see above the calling operator's replies. Earlier replies keep the name that they
 * were sent with.
 * @param displayName Not blank. Null: end users see no name.
 * @throws DomainError NOT_FOUND when the caller is not a member of the organization
 */
export async function setDisplayName(
  context: Context,
  input: { readonly organizationId: string; readonly displayName: string | null },
): Promise<Member> {
  const member = await findMembership(context, input.organizationId);
  if (member === null) throw notFound('Membership');
  const { id, organizationId } = member;
  const displayName = input.displayName?.trim() ?? null;
  return transaction(context, async (context) => {
    await auditMember(context, 'MEMBER_UPDATED', member, { displayName });
    return context.db.member.update({ where: { id, organizationId }, data: { displayName } });
  });
}
