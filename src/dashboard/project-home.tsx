import { useQuery } from 'urql';
import { Redirect } from 'wouter';
import type { Role } from './project/operator.tsx';
import type { OperatorProject } from './project/project.tsx';
import { opensFirst, setupFactsQuery } from './setup/setup-operations.ts';
import { PageLoader } from './shell/page-loader.tsx';
import type { SectionPath } from './shell/sections.ts';

/** Opens the first page of a project: "Get started" until it is done, then the page of the role. */
export function ProjectHome({ project: { id, role } }: { readonly project: OperatorProject }) {
  return role === 'OWNER' || role === 'ADMIN' ? (
    <ManagerHome key={id} id={id} role={role} />
  ) : (
    <Open id={id} page={pageOf(role)} />
  );
}

function ManagerHome({ id, role }: { readonly id: string; readonly role: Role }) {
  const [{ data, error }] = useQuery({
    query: setupFactsQuery,
    variables: { projectId: id },
    requestPolicy: 'network-only',
  });
  if (data === undefined && error === undefined) return <PageLoader />;
  const isFirst = data !== undefined && opensFirst(data.projectSetup);
  return <Open id={id} page={isFirst ? 'start' : pageOf(role)} />;
}

function Open({ id, page }: { readonly id: string; readonly page: SectionPath }) {
  return <Redirect to={`/${id}/${page}`} replace />;
}

function pageOf(role: Role): SectionPath {
  return role === 'AGENT' ? 'inbox' : 'analytics';
}
