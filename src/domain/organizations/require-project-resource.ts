import { DomainError, notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import { type Permission, requirePermission } from '../caller.ts';
import type { Context } from '../context.ts';
import { type Project, requireProject } from './require-project.ts';

/**
 * Returns the resource that `find` finds by id, and its project, if the caller has the permission in the project.
 * @throws DomainError from `requireProject`
 * @throws DomainError NOT_FOUND when the resource is unknown or belongs to another organization
 */
export async function requireProjectResource<Found extends { readonly projectId: string }>(
  context: Context,
  permission: Permission,
  { what, id }: { readonly what: string; readonly id: string },
  find: (id: string) => Promise<Found | null>,
): Promise<{ readonly resource: Found; readonly project: Project }> {
  requirePermission(context.caller, permission);
  const found = isId(id) ? await find(id) : null;
  if (found === null) throw notFound(what);
  try {
    return { resource: found, project: await requireProject(context, found.projectId, permission) };
  } catch (error) {
    const isOtherOrganization = error instanceof DomainError && error.code === 'NOT_FOUND';
    throw isOtherOrganization ? notFound(what) : error;
  }
}
