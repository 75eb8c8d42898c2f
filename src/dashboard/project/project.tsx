import { createContext, type ReactNode, use } from 'react';
import { type Role, useOperator } from './operator.tsx';

/** A project with the operator's role in its organization. */
export interface OperatorProject {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly role: Role;
}

const ProjectContext = createContext<OperatorProject | null>(null);

/** Returns the project of the current page. Requires `ProjectProvider`. */
export function useProject(): OperatorProject {
  const project = use(ProjectContext);
  if (project === null) throw new Error('useProject requires ProjectProvider');
  return project;
}

export function ProjectProvider({
  project,
  children,
}: {
  readonly project: OperatorProject;
  readonly children: ReactNode;
}) {
  return <ProjectContext value={project}>{children}</ProjectContext>;
}

/** Returns the projects of all organizations that the operator is a member of. */
export function useProjects(): readonly OperatorProject[] {
  return useOperator().memberships.flatMap(({ role, organization }) =>
    organization.projects.edges.map(({ node }) => ({
      id: node.id,
      name: node.name,
      organizationId: organization.id,
      role,
    })),
  );
}
