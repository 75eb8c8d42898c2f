import { DomainError, notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { Context } from '../context.ts';
import { type Permission, requirePermission } from '../permissions.ts';
import type { Project } from './find-project.ts';
import { requireProject } from './require-project.ts';

/** Identifies a resource. If `projectId` is set, the resource must belong to that project. */
export interface ResourceTarget {
  readonly what: string;
  readonly id: string;
  readonly projectId?: string | null;
}

/**
 * Finds a resource by its id with `find`. Returns the resource and its project if the caller has the permission in the
 * project.
 * @throws DomainError from `requireProject`
 * @throws DomainError NOT_FOUND when the resource is unknown or belongs to another organization or project
 */
export async function requireProjectResource<Found extends { readonly projectId: string }>(
  context: Context,
  permission: Permission,
  { what, id, projectId }: ResourceTarget,
  find: (id: string) => Promise<Found | null>,
): Promise<{ readonly resource: Found; readonly project: Project }> {
  requirePermission(context.caller, permission);
  if (projectId != null) {
    const project = await requireProject(context, projectId, permission);
    const resource = isId(id) ? await find(id) : null;
    if (resource === null || resource.projectId !== project.id) throw notFound(what);
    return { resource, project };
  }
  const resource = isId(id) ? await find(id) : null;
  if (resource === null) throw notFound(what);
  try {
    return { resource, project: await requireProject(context, resource.projectId, permission) };
  } catch (error) {
    // A key of another project of the organization learns nothing about the resource, either.
    const isElsewhere = error instanceof DomainError && elsewhereCodes.includes(error.code);
    throw isElsewhere ? notFound(what) : error;
  }
}

const elsewhereCodes: readonly string[] = ['NOT_FOUND', 'PROJECT_FORBIDDEN'];
