import { DomainError } from '../../platform/errors.ts';
import type { Context } from '../context.ts';
import { requirePermission } from '../permissions.ts';

export interface KeyProject {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

const maxProjects = 1_000;

/**
 * Returns the projects that the calling API key may use, oldest first: its own project, or the first 1,000 projects of
 * its organization. Returns an empty list for the service role, which has no key.
 * @throws DomainError SCOPE_MISSING when the key may not chat
 * @throws DomainError FORBIDDEN when the caller is an operator
 */
export async function listKeyProjects({ caller, db }: Context): Promise<KeyProject[]> {
  requirePermission(caller, 'chat');
  if (caller.type === 'service') return [];
  if (caller.type !== 'key') throw new DomainError('FORBIDDEN', 'Only API keys may do this');
  const { organizationId, projectId } = caller;
  return db.project.findMany({
    where: { organizationId, ...(projectId !== null && { id: projectId }) },
    select: { id: true, name: true, createdAt: true },
    orderBy: { id: 'asc' },
    take: maxProjects,
  });
}
