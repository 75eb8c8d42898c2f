import { createDataLoader } from '../../platform/data-loader.ts';
import { notFound } from '../../platform/errors.ts';
import type { Role } from '../../platform/postgres/generated/prisma/enums.ts';
import type { Context } from '../context.ts';
import { type Permission, requirePermission, requireRole } from '../permissions.ts';
import { ownMembershipFilter } from './members.ts';

/**
 * Requires a permission in an organization that exists. Concurrent checks for several organizations share one SQL
 * statement.
 * @throws DomainError for the same reasons as `requireOrganization`
 */
export async function requireMember(
  context: Context,
  organizationId: string,
  permission: Permission,
): Promise<void> {
  const { caller } = context;
  requirePermission(caller, permission);
  if (caller.type === 'key' && caller.organizationId !== organizationId) {
    throw notFound('Organization');
  }
  if (caller.type !== 'operator') return;
  const role = await loadRole(context, 'roles', organizationId, (ids) => listRoles(context, ids));
  if (role === null) throw notFound('Organization');
  requireRole(role, permission);
}

const loadRole = createDataLoader<string, Role | null>();

async function listRoles(
  context: Context,
  organizationIds: readonly string[],
): Promise<(Role | null)[]> {
  const members = await context.db.member.findMany({
    where: {
      AND: [
        { organizationId: { in: [...new Set(organizationIds)] } },
        ownMembershipFilter(context),
      ],
    },
    select: { organizationId: true, role: true },
  });
  const roles = new Map(members.map(({ organizationId, role }) => [organizationId, role]));
  return organizationIds.map((id) => roles.get(id) ?? null);
}
