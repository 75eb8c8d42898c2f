import { requirePermission } from '../caller.ts';
import type { Context } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import { isId } from '../ids.ts';
import { requireProject } from '../organizations/require-project.ts';

/**
 * What `find` finds by its id, if the caller manages webhooks in its project.
 * Throws what `requireProject` throws, and `NOT_FOUND` for `what` is unknown or another organization's.
 */
export async function requireManaged<Found extends { readonly projectId: string }>(
  context: Context,
  what: string,
  id: string,
  find: (id: string) => Promise<Found | null>,
): Promise<Found> {
  requirePermission(context.caller, 'webhooks:manage');
  const found = isId(id) ? await find(id) : null;
  if (found === null) throw notFound(what);
  try {
    await requireProject(context, found.projectId, 'webhooks:manage');
  } catch (error) {
    const isForeign = error instanceof DomainError && error.code === 'NOT_FOUND';
    throw isForeign ? notFound(what) : error;
  }
  return found;
}
