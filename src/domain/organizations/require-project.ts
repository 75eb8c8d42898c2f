import { DomainError, notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { Prisma } from '../../platform/postgres/generated/prisma/client.ts';
import type { Context } from '../context.ts';
import { type Permission, requirePermission, requireRole } from '../permissions.ts';
import { findProject, type Project } from './find-project.ts';
import { findMembership } from './members.ts';

/**
 * Returns the project if the caller has the permission in this project. Without `projectId`, returns the project of a
 * project-scoped API key. `query` selects related rows.
 * @throws DomainError UNAUTHENTICATED when the caller is anonymous
 * @throws DomainError SCOPE_MISSING when the API key lacks the scope
 * @throws DomainError PROJECT_REQUIRED when `projectId` is missing and the caller has no project-scoped key
 * @throws DomainError PROJECT_FORBIDDEN when the API key is restricted to a different project
 * @throws DomainError FORBIDDEN when the operator's role lacks the permission
 * @throws DomainError NOT_FOUND when the project is unknown or belongs to another organization
 */
export async function requireProject(
  context: Context,
  projectId: string | null | undefined,
  permission: Permission,
  query: Prisma.ProjectDefaultArgs = {},
): Promise<Project> {
  const { caller, db } = context;
  const id = resolveProjectId(context, projectId, permission);
  const organizationId = caller.type === 'key' ? caller.organizationId : null;
  const project =
    Object.keys(query).length === 0 && db === context.prisma
      ? await findProject(context, id, organizationId)
      : await db.project.findFirst({
          ...query,
          where: { id, ...(organizationId !== null && { organizationId }) },
        });
  if (project === null) throw notFound('Project');
  if (caller.type === 'operator') {
    const member = await findMembership(context, project.organizationId);
    if (member === null) throw notFound('Project');
    requireRole(member.role, permission);
  }
  return project;
}

/**
 * Returns the id of the project, after the same checks as `requireProject`. For a project-scoped key, does not query
 * the database.
 * @throws DomainError from `requireProject`
 */
export async function requireProjectId(
  context: Context,
  projectId: string | null | undefined,
  permission: Permission,
): Promise<string> {
  const known = findKeyProject(context, projectId, permission);
  return (known ?? (await requireProject(context, projectId, permission))).id;
}

/**
 * Returns the project of a project-scoped key without a query, because the project exists as long as the key exists.
 * Returns null for other callers.
 * @throws DomainError from `requireProject`
 */
export function findKeyProject(
  context: Context,
  projectId: string | null | undefined,
  permission: Permission,
): Pick<Project, 'id' | 'organizationId'> | null {
  const { caller } = context;
  if (caller.type !== 'key' || caller.projectId === null) return null;
  const id = resolveProjectId(context, projectId, permission);
  return { id, organizationId: caller.organizationId };
}

/**
 * Returns the ids of the project that an API key addresses. Does not query the database, so the project may not exist.
 * Returns null for other callers.
 * @throws DomainError from `requireProject`, except NOT_FOUND for an unknown project
 */
export function findAddressedProject(
  context: Context,
  projectId: string | null | undefined,
  permission: Permission,
): Pick<Project, 'id' | 'organizationId'> | null {
  const { caller } = context;
  if (caller.type !== 'key') return null;
  const id = resolveProjectId(context, projectId, permission);
  return { id, organizationId: caller.organizationId };
}

/** Returns the id of the addressed project. Makes all checks that do not need the database. */
function resolveProjectId(
  { caller }: Context,
  projectId: string | null | undefined,
  permission: Permission,
): string {
  requirePermission(caller, permission);
  const keyProjectId = caller.type === 'key' ? caller.projectId : null;
  const id = projectId ?? keyProjectId;
  if (id === null) {
    throw new DomainError('PROJECT_REQUIRED', 'projectId is required: the API key is org-wide');
  }
  if (keyProjectId !== null && keyProjectId !== id) {
    throw new DomainError('PROJECT_FORBIDDEN', 'The API key is restricted to a different project');
  }
  if (!isId(id)) throw notFound('Project');
  return id;
}
