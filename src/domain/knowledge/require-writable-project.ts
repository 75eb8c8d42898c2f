import type { Context } from '../context.ts';
import type { Project } from '../organizations/find-project.ts';
import { findKeyProject, requireProject } from '../organizations/require-project.ts';

/**
 * Returns the project if the caller may change its documents. For a project-scoped key, does not query the database.
 *
 * @throws DomainError from `requireProject`.
 */
export async function requireWritableProject(
  context: Context,
  projectId: string | null | undefined,
): Promise<Pick<Project, 'id' | 'organizationId'>> {
  const known = findKeyProject(context, projectId, 'knowledge:write');
  return known ?? requireProject(context, projectId, 'knowledge:write');
}
