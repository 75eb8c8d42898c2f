import { type Permission, requirePermission, requireRole } from '../caller.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Role } from '../generated/prisma/enums.ts';
import { createBatches } from '../in-batch.ts';
import { ownMembers } from './members.ts';

/**
 * Refuses a caller who does not have the permission in an organization of which something has been read already.
 * Asked for many organizations at once it costs one statement. Throws as `requireOrganization` does.
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
  const role = await roleInBatch(context, 'roles', organizationId, (ids) => rolesIn(context, ids));
  if (role === null) throw notFound('Organization');
  requireRole(role, permission);
}

const roleInBatch = createBatches<string, Role | null>();

async function rolesIn(
  context: Context,
  organizationIds: readonly string[],
): Promise<(Role | null)[]> {
  const members = await context.db.member.findMany({
    where: {
      AND: [{ organizationId: { in: [...new Set(organizationIds)] } }, ownMembers(context)],
    },
    select: { organizationId: true, role: true },
  });
  const roles = new Map(members.map(({ organizationId, role }) => [organizationId, role]));
  return organizationIds.map((id) => roles.get(id) ?? null);
}
