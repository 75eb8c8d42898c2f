import { createContext, type ReactNode, use } from 'react';
import { type Role, useOperator } from './operator.tsx';

/** The project whose pages are open, and what the operator is in its organization. */
export interface OpenProject {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly role: Role;
}

const ProjectContext = createContext<OpenProject | null>(null);

/** Only on the pages of a project. */
export function useProject(): OpenProject {
  const project = use(ProjectContext);
  if (project === null) throw new Error('There is no project here');
  return project;
}

export function ProjectScope({
  project,
  children,
}: {
  readonly project: OpenProject;
  readonly children: ReactNode;
}) {
  return <ProjectContext value={project}>{children}</ProjectContext>;
}

/** All projects of all organizations the operator is a member of. */
export function useProjects(): readonly OpenProject[] {
  return useOperator().memberships.flatMap(({ role, organization }) =>
    organization.projects.edges.map(({ node }) => ({
      id: node.id,
      name: node.name,
      organizationId: organization.id,
      role,
    })),
  );
}
