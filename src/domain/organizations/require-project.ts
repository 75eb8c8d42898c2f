import { type Permission, requirePermission, requireRole } from '../caller.ts';
import type { Context } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { isId } from '../ids.ts';
import { findMembership } from './members.ts';

export type Project = Prisma.ProjectGetPayload<object>;

/**
 * The project a verb acts on, if its caller has the permission there. `projectId` may be left out by a
 * project-scoped key, which implies it. `query` says what is read beside the project.
 * Throws `UNAUTHENTICATED`, `SCOPE_MISSING`, `PROJECT_REQUIRED`, `PROJECT_FORBIDDEN` (the key is bound to
 * another project), `FORBIDDEN` (the operator's role), or `NOT_FOUND` (unknown, or another organization's).
 */
export async function requireProject(
  context: Context,
  projectId: string | null | undefined,
  permission: Permission,
  query: Prisma.ProjectDefaultArgs = {},
): Promise<Project> {
  const { caller, db } = context;
  requirePermission(caller, permission);
  const boundTo = caller.type === 'key' ? caller.projectId : null;
  const id = projectId ?? boundTo;
  if (id === null) {
    throw new DomainError('PROJECT_REQUIRED', 'projectId is required: the API key is org-wide');
  }
  if (boundTo !== null && boundTo !== id) {
    throw new DomainError('PROJECT_FORBIDDEN', 'The API key is restricted to a different project');
  }
  if (!isId(id)) throw notFound('Project');

  const project = await db.project.findFirst({
    ...query,
    where: { id, ...(caller.type === 'key' && { organizationId: caller.organizationId }) },
  });
  if (project === null) throw notFound('Project');
  if (caller.type === 'operator') {
    const member = await findMembership(context, project.organizationId);
    if (member === null) throw notFound('Project');
    requireRole(member.role, permission);
  }
  return project;
}
