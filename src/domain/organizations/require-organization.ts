import { notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import { type Permission, requirePermission, requireRole } from '../permissions.ts';
import { findMembership } from './members.ts';

export type Organization = Prisma.OrganizationGetPayload<object>;

/**
 * Returns the organization if the caller has the permission in this organization. `query` selects related rows.
 * @throws DomainError UNAUTHENTICATED, SCOPE_MISSING, FORBIDDEN or NOT_FOUND, for the same reasons as `requireProject`
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
