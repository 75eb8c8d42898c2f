import type { Notice } from './inbox-notices.ts';

/** A conversation that another agent has assigned to the operator. */
interface Assignment {
  readonly id: string;
  readonly projectId: string;
  readonly conversationId: string;
  readonly actor: string;
}

interface NamedProject {
  readonly id: string;
  readonly name: string;
}

/** Returns the notices of new assignments in all projects except the current one. */
export function noticesOfAssignments(
  assignments: readonly Assignment[],
  projects: readonly NamedProject[],
  currentProjectId: string,
): Notice[] {
  return assignments
    .filter(({ projectId }) => projectId !== currentProjectId)
    .map(({ projectId, conversationId, actor }) => ({
      tag: `${conversationId} agent`,
      title: `A conversation in ${nameOf(projects, projectId)} is yours`,
      message: `${actor} gave it to you.`,
      path: `/${conversationId}`,
      projectId,
    }));
}

function nameOf(projects: readonly NamedProject[], id: string): string {
  return projects.find((project) => project.id === id)?.name ?? 'another project';
}
