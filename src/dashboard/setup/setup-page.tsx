import { Anchor, Button, Group, List, Paper, Skeleton, Stack, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { EmptyState } from '../components/empty-state.tsx';
import { LoadFailure, notifySuccess } from '../components/error-messages.tsx';
import rows from '../components/row-list.module.css';
import { useFreshQuery } from '../graphql/use-fresh-query.ts';
import { useProject } from '../project/project.tsx';
import { useNotifyingMutation } from '../project/use-notifying-mutation.ts';
import { usePermissions } from '../project/use-permissions.ts';
import { Page } from '../shell/page.tsx';
import { changeSetupMutation, doneSteps, opensFirst, setupPageQuery } from './setup-operations.ts';
import { SetupStep } from './setup-step.tsx';

/** Five steps from an empty project to an assistant on a website. Each step is done by a fact, not by a click. */
export function SetupPage() {
  const { canManage } = usePermissions();
  return canManage ? (
    <Setup />
  ) : (
    <Page title="Get started">
      <EmptyState
        title="For owners and admins"
        text="Owners and admins set up the project. The menu leads to the pages of your role."
      />
    </Page>
  );
}

function Setup() {
  const { id: projectId } = useProject();
  const { data, error, reload } = useFreshQuery(setupPageQuery, { projectId });
  useEffect(() => {
    window.addEventListener('focus', reload);
    return () => window.removeEventListener('focus', reload);
  }, [reload]);
  return (
    <Page title="Get started" actions={data && <HideButton data={data} />}>
      {error !== undefined && <LoadFailure error={error} onRetry={reload} />}
      {data === undefined ? (
        error === undefined && <Skeleton h={560} maw={720} aria-label="Loading" />
      ) : (
        <Steps data={data} onChange={reload} />
      )}
    </Page>
  );
}

type SetupData = ResultOf<typeof setupPageQuery>;

function HideButton({ data: { projectSetup } }: { readonly data: SetupData }) {
  const { id } = useProject();
  const [, navigate] = useLocation();
  const { run, isRunning } = useNotifyingMutation(changeSetupMutation, 'The page was not hidden');
  if (!opensFirst(projectSetup)) return null;
  const hide = async () => {
    if ((await run({ input: { id, isSetupHidden: true } })) === null) return;
    notifySuccess('Hidden for all owners and admins. “Get started” stays in the menu.');
    navigate(`/${id}`);
  };
  return (
    <Button variant="default" onClick={hide} loading={isRunning}>
      Hide
    </Button>
  );
}

function Steps({
  data: { projectSetup: setup, project },
  onChange,
}: {
  readonly data: SetupData;
  readonly onChange: () => void;
}) {
  const { id } = useProject();
  const done = doneSteps(setup).filter(Boolean).length;
  const model = project?.installedLanguageModel?.name;
  return (
    <Stack maw={720} gap="sm">
      <Text c="dimmed" role="status">
        {done} of 5 steps done. The steps tick themselves.
      </Text>
      <Paper withBorder component="ol" className={rows.list} aria-label="Steps">
        <SetupStep
          title="1. Add documents"
          text="The assistant answers from your documents only. Upload files, write a text or connect a source."
          isDone={setup.hasDocuments}
        >
          <StepLink href={`/${id}/knowledge`} text="Open Knowledge" />
        </SetupStep>
        <SetupStep
          title="2. Ask a question"
          text={questionText(setup.hasDocuments, setup.exampleQuestions.length)}
          isDone={setup.hasConversation}
        >
          <ExampleQuestions questions={setup.exampleQuestions} />
        </SetupStep>
        <SetupStep
          title="3. Choose the model"
          text={
            model === undefined
              ? 'Now answers: the built-in model. It quotes, is made for English, and ignores instructions.'
              : `Now answers: ${model}, a language model.`
          }
          isDone={setup.hasModelChoice}
        >
          <Group gap="md">
            <StepLink href={`/${id}/settings/models`} text="See the models" />
            {!setup.hasModelChoice && <KeepModelButton onKept={onChange} />}
          </Group>
        </SetupStep>
        <SetupStep
          title="4. Put the widget on your site"
          text="Allow your domain and copy one script tag. Done with the first question in the widget."
          isDone={setup.hasWidgetConversation}
        >
          <StepLink href={`/${id}/settings/widget`} text="Set up the widget" />
        </SetupStep>
        <SetupStep
          title="5. Invite a colleague"
          text="Agents answer end users who want a person. Done as soon as a person is invited."
          isDone={setup.hasColleague}
        >
          <StepLink href={`/${id}/settings/members`} text="Invite members" />
        </SetupStep>
      </Paper>
    </Stack>
  );
}

function questionText(hasDocuments: boolean, questions: number): string {
  if (questions > 0) return 'Questions from the headings of your documents:';
  return hasDocuments
    ? 'Ask what your users ask. Each answer shows its sources.'
    : 'Add documents first. Then questions from them appear here.';
}

function ExampleQuestions({ questions }: { readonly questions: readonly string[] }) {
  const { id } = useProject();
  if (questions.length === 0) {
    return <StepLink href={`/${id}/playground`} text="Open the playground" />;
  }
  return (
    <List size="sm" spacing={4}>
      {questions.map((question) => (
        <List.Item key={question}>
          <StepLink
            href={`/${id}/playground?ask=${encodeURIComponent(question)}`}
            text={question}
          />
        </List.Item>
      ))}
    </List>
  );
}

function KeepModelButton({ onKept }: { readonly onKept: () => void }) {
  const { id } = useProject();
  const { run, isRunning } = useNotifyingMutation(changeSetupMutation, 'The choice was not saved');
  const keep = async () => {
    if ((await run({ input: { id, keepsBuiltInModel: true } })) !== null) onKept();
  };
  return (
    <Button size="compact-sm" variant="default" onClick={keep} loading={isRunning}>
      Keep the built-in model
    </Button>
  );
}

function StepLink({ href, text }: { readonly href: string; readonly text: string }) {
  return (
    <Anchor component={Link} href={href} size="sm">
      {text}
    </Anchor>
  );
}
