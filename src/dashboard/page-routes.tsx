import { Button, Center, Group } from '@mantine/core';
import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { Link, Redirect, Route, Switch } from 'wouter';
import { EmptyState } from './components/empty-state.tsx';
import { LiveInboxProvider } from './live-inbox/live-inbox.tsx';
import { lastProjectId, rememberProject } from './project/last-project.ts';
import { useOperator } from './project/operator.tsx';
import { ProjectProvider, useProjects } from './project/project.tsx';
import { ProjectHome } from './project-home.tsx';
import { useSession } from './session/session-gate.tsx';
import { signOut } from './session/sign-out.ts';
import { PageLoader } from './shell/page-loader.tsx';
import { type SectionPath, sections } from './shell/sections.ts';
import { Shell } from './shell/shell.tsx';

/** Each page is a separate script, loaded when the page is opened. */
const pages: Record<SectionPath, ComponentType> = {
  inbox: lazy(() => import('./inbox/inbox-page.tsx').then(asDefaultExport('InboxPage'))),
  conversations: lazy(() =>
    import('./conversations/conversations-page.tsx').then(asDefaultExport('ConversationsPage')),
  ),
  unanswered: lazy(() =>
    import('./unanswered/unanswered-page.tsx').then(asDefaultExport('UnansweredPage')),
  ),
  knowledge: lazy(() =>
    import('./knowledge/knowledge-page.tsx').then(asDefaultExport('KnowledgePage')),
  ),
  playground: lazy(() =>
    import('./playground/playground-page.tsx').then(asDefaultExport('PlaygroundPage')),
  ),
  evaluation: lazy(() =>
    import('./evaluation/evaluation-page.tsx').then(asDefaultExport('EvaluationPage')),
  ),
  developer: lazy(() =>
    import('./developer/developer-page.tsx').then(asDefaultExport('DeveloperPage')),
  ),
  analytics: lazy(() =>
    import('./analytics/analytics-page.tsx').then(asDefaultExport('AnalyticsPage')),
  ),
  usage: lazy(() => import('./usage/usage-page.tsx').then(asDefaultExport('UsagePage'))),
  settings: lazy(() =>
    import('./settings/settings-page.tsx').then(asDefaultExport('SettingsPage')),
  ),
  start: lazy(() => import('./setup/setup-page.tsx').then(asDefaultExport('SetupPage'))),
};

function asDefaultExport<Name extends string>(name: Name) {
  return (module: Record<Name, ComponentType>) => ({ default: module[name] });
}

export function PageRoutes() {
  const projects = useProjects();
  const first = projects.find(({ id }) => id === lastProjectId()) ?? projects[0];
  if (first === undefined) return <NoProject />;
  return (
    <Switch>
      <Route path="/:projectId/:section/*?">
        {({ projectId, section }) => <ProjectPage projectId={projectId} section={section} />}
      </Route>
      <Route path="/:projectId">
        {({ projectId }) => {
          const project = projects.find(({ id }) => id === projectId);
          return project === undefined ? <PageNotFound /> : <ProjectHome project={project} />;
        }}
      </Route>
      <Route>
        <Redirect to={`/${first.id}`} replace />
      </Route>
    </Switch>
  );
}

function ProjectPage({ projectId, section }: { projectId: string; section: string }) {
  const project = useProjects().find(({ id }) => id === projectId);
  const path = sections.find((known) => known.path === section)?.path;
  const id = project?.id;
  useEffect(() => {
    if (id !== undefined) rememberProject(id);
  }, [id]);
  if (project === undefined) return <PageNotFound />;
  const Page = path === undefined ? PageNotFound : pages[path];
  return (
    <ProjectProvider project={project} key={project.id}>
      <LiveInboxProvider>
        <Shell>
          <Suspense fallback={<PageLoader />}>
            <Page />
          </Suspense>
        </Shell>
      </LiveInboxProvider>
    </ProjectProvider>
  );
}

function PageNotFound() {
  return (
    <Center mih="60dvh">
      <EmptyState title="Page not found" text="The page or project may have been removed.">
        <Button component={Link} href="/">
          Go to the start page
        </Button>
      </EmptyState>
    </Center>
  );
}

function NoProject() {
  const session = useSession();
  const { email, memberships } = useOperator();
  return (
    <Center component="main" h="100dvh" p="md">
      <EmptyState
        title={
          memberships.length === 0 ? 'You are not a member of an organization' : 'No project yet'
        }
        text={
          memberships.length === 0
            ? `Ask an owner or admin to invite ${email ?? 'you'}, then reload the page.`
            : 'Create a project on the server: npm run cli -- projects create --name Support'
        }
      >
        <Group mt="xs">
          <Button onClick={() => location.reload()}>Reload</Button>
          <Button variant="default" onClick={() => signOut(session)}>
            Sign out
          </Button>
        </Group>
      </EmptyState>
    </Center>
  );
}
