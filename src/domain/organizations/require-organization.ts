import { type Permission, requirePermission, requireRole } from '../caller.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { isId } from '../ids.ts';
import { findMembership } from './members.ts';

export type Organization = Prisma.OrganizationGetPayload<object>;

/**
 * The organization a verb acts on, if its caller has the permission there, with what `query` asks for
 * beside it. Throws as `requireProject` does.
 */
export async function requireOrganization(
  context: Context,
  organizationId: string,
  permission: Permission,
  query: Prisma.OrganizationDefaultArgs = {},
): Promise<Organization> {
  const { caller, db } = context;
  requirePermission(caller, permission);
  if (!isId(organizationId)) throw notFound('Organization');
  if (caller.type === 'key' && caller.organizationId !== organizationId) {
    throw notFound('Organization');
  }
  if (caller.type === 'operator') {
    const member = await findMembership(context, organizationId);
    if (member === null) throw notFound('Organization');
    requireRole(member.role, permission);
  }
  const organization = await db.organization.findUnique({
    ...query,
    where: { id: organizationId },
  });
  if (organization === null) throw notFound('Organization');
  return organization;
}
