import { type Permission, requirePermission } from '../caller.ts';
import type { Context } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import { isId } from '../ids.ts';
import { type Project, requireProject } from './require-project.ts';

/**
 * What `find` finds by its id alone, and its project, if the caller has the permission there.
 * Throws what `requireProject` throws, and `NOT_FOUND` for `what` is unknown or another organization's.
 */
export async function requireInProject<Found extends { readonly projectId: string }>(
  context: Context,
  permission: Permission,
  { what, id }: { readonly what: string; readonly id: string },
  find: (id: string) => Promise<Found | null>,
): Promise<{ readonly found: Found; readonly project: Project }> {
  requirePermission(context.caller, permission);
  const found = isId(id) ? await find(id) : null;
  if (found === null) throw notFound(what);
  try {
    return { found, project: await requireProject(context, found.projectId, permission) };
  } catch (error) {
    const isForeign = error instanceof DomainError && error.code === 'NOT_FOUND';
    throw isForeign ? notFound(what) : error;
  }
}
