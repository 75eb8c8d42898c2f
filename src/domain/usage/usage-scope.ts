import { notFound } from '../../platform/errors.ts';
import type { Context } from '../context.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { requireProject } from '../organizations/require-project.ts';

/** Selects an organization, or one of its projects. */
export interface UsageScope {
  readonly organizationId: string;
  readonly projectId?: string | null;
}

/**
 * Returns the ids of the organization and the project. The project's id is null if all projects are selected.
 * @throws DomainError from `requireOrganization` and `requireProject`
 * @throws DomainError NOT_FOUND when the project belongs to another organization
 */
export async function requireUsageScope(
  context: Context,
  { organizationId, projectId = null }: UsageScope,
): Promise<{ readonly id: string; readonly projectId: string | null }> {
  const { id } = await requireOrganization(context, organizationId, 'usage:read');
  if (projectId !== null) {
    const project = await requireProject(context, projectId, 'usage:read');
    if (project.organizationId !== id) throw notFound('Project');
  }
  return { id, projectId };
}
