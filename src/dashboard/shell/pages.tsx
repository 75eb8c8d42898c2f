import { Button, Center, Group, Loader } from '@mantine/core';
import { type ComponentType, lazy, Suspense } from 'react';
import { Link, Redirect, Route, Switch } from 'wouter';
import { useSession } from '../session/session-gate.tsx';
import { EmptyState } from './empty-state.tsx';
import { LiveInbox } from './live.tsx';
import { useOperator } from './operator.tsx';
import { ProjectScope, useProjects } from './project.tsx';
import { type SectionPath, sections } from './sections.ts';
import { Shell } from './shell.tsx';
import { signOut } from './sign-out.ts';

/** Each page is a file of its own for the browser, loaded when it is opened. */
const pages: Record<SectionPath, ComponentType> = {
  inbox: lazy(() => import('../inbox/inbox-page.tsx').then(as('InboxPage'))),
  conversations: lazy(() =>
    import('../conversations/conversations-page.tsx').then(as('ConversationsPage')),
  ),
  unanswered: lazy(() => import('../unanswered/unanswered-page.tsx').then(as('UnansweredPage'))),
  knowledge: lazy(() => import('../knowledge/knowledge-page.tsx').then(as('KnowledgePage'))),
  playground: lazy(() => import('../playground/playground-page.tsx').then(as('PlaygroundPage'))),
  developer: lazy(() => import('../developer/developer-page.tsx').then(as('DeveloperPage'))),
  usage: lazy(() => import('../usage/usage-page.tsx').then(as('UsagePage'))),
  settings: lazy(() => import('../settings/settings-page.tsx').then(as('SettingsPage'))),
};

function as<Name extends string>(name: Name) {
  return (module: Record<Name, ComponentType>) => ({ default: module[name] });
}

export function Pages() {
  const projects = useProjects();
  const first = projects[0];
  if (first === undefined) return <NoProject />;
  return (
    <Switch>
      <Route path="/:projectId/:section/*?">
        {({ projectId, section }) => <ProjectPage projectId={projectId} section={section} />}
      </Route>
      <Route path="/:projectId">
        {({ projectId }) => (
          <Redirect key={projectId} to={`/${projectId}/${sections[0].path}`} replace />
        )}
      </Route>
      <Route>
        <Redirect to={`/${first.id}/${sections[0].path}`} replace />
      </Route>
    </Switch>
  );
}

function ProjectPage({ projectId, section }: { projectId: string; section: string }) {
  const project = useProjects().find(({ id }) => id === projectId);
  const path = sections.find((known) => known.path === section)?.path;
  if (project === undefined || path === undefined) {
    return (
      <Center h="100dvh">
        <EmptyState title="There is nothing here" text="The page or project may have been removed.">
          <Button component={Link} href="/">
            Back to the start
          </Button>
        </EmptyState>
      </Center>
    );
  }
  const Page = pages[path];
  return (
    <ProjectScope project={project} key={project.id}>
      <LiveInbox>
        <Shell>
          <Suspense fallback={<PageLoader />}>
            <Page />
          </Suspense>
        </Shell>
      </LiveInbox>
    </ProjectScope>
  );
}

function PageLoader() {
  return (
    <Center h="50dvh">
      <Loader aria-label="Loading" />
    </Center>
  );
}

function NoProject() {
  const session = useSession();
  const { email, memberships } = useOperator();
  return (
    <Center component="main" h="100dvh" p="md">
      <EmptyState
        title={memberships.length === 0 ? 'You are in no organization' : 'No project yet'}
        text={
          memberships.length === 0
            ? `Nobody has invited ${email ?? 'you'}, or you have been removed. Ask an owner or admin for an invitation, then reload the page.`
            : "Make a project on the service's machine: npm run cli -- projects create --name Support"
        }
      >
        <Group mt="xs">
          <Button onClick={() => location.reload()}>Look again</Button>
          <Button variant="default" onClick={() => signOut(session)}>
            Sign out
          </Button>
        </Group>
      </EmptyState>
    </Center>
  );
}
