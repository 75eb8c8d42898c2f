import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { BackLink } from '../../components/back-link.tsx';
import { formatCountOf } from '../../format/format-numbers.ts';
import { isNotFound } from '../../graphql/is-not-found.ts';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { usePolling } from '../../graphql/use-polling.ts';
import { useProject } from '../../project/project.tsx';
import { usePermissions } from '../../project/use-permissions.ts';
import { DetailPlaceholder } from '../detail-placeholder.tsx';
import { evaluationPaths } from '../evaluation-paths.ts';
import { isActive, pollIntervalMs } from '../runs/describe-run.ts';
import { RunList } from '../runs/run-list.tsx';
import { StartRunModal } from '../runs/start-run-modal.tsx';
import { AddQuestionModal } from './add-question-modal.tsx';
import { ImportQuestionsModal } from './import-questions-modal.tsx';
import { ProposalsModal } from './proposals-modal.tsx';
import { ScheduleModal } from './schedule-modal.tsx';
import { type DetailedSet, questionSetQuery } from './set-operations.ts';
import { SetQuestions } from './set-questions.tsx';
import { SetScheduleText } from './set-schedule.tsx';

/** A question set with its runs and its questions. */
export function QuestionSetPanel({ setId }: { readonly setId: string }) {
  const { id: projectId } = useProject();
  const [runPage, setRunPage] = useState(1);
  const variables = { id: setId, projectId, runPage };
  const { data, error, reload } = useFreshQuery(questionSetQuery, variables);
  const isRunning = data?.latestRuns.data.some(isActive) === true;
  usePolling(reload, isRunning ? pollIntervalMs : null);
  const back = <BackLink href={evaluationPaths(projectId).list}>All question sets</BackLink>;
  if (data === undefined || isNotFound(error)) {
    return (
      <Stack maw={860}>
        {back}
        <DetailPlaceholder what="Question set" error={error} onRetry={reload} />
      </Stack>
    );
  }
  const { questionSet: set, evaluationRunPage: runs, latestRuns } = data;
  return (
    <Stack maw={860}>
      {back}
      <SetHeader set={set} isRunning={isRunning} onChange={reload} />
      {set.questionCount > 0 && (
        <RunList
          runs={runs.data}
          latestRuns={latestRuns.data}
          page={runPage}
          totalPages={runs.totalPages}
          onSelectPage={setRunPage}
        />
      )}
      <SetQuestions setId={setId} version={set.version} onChange={reload} />
    </Stack>
  );
}

function SetHeader({
  set: { id, name, version, questionCount, schedule },
  isRunning,
  onChange,
}: {
  readonly set: DetailedSet;
  /** Whether a run of the set is active. A set has only one active run. */
  readonly isRunning: boolean;
  readonly onChange: () => void;
}) {
  const { canManage } = usePermissions();
  const [isStarting, starting] = useDisclosure(false);
  const [isAdding, adding] = useDisclosure(false);
  const [isImporting, importing] = useDisclosure(false);
  const [isProposing, proposing] = useDisclosure(false);
  const [isScheduling, scheduling] = useDisclosure(false);
  return (
    <Stack gap="xs">
      <Title order={2} size="h4" dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Title>
      <Text size="sm" c="dimmed" role="status">
        {formatCountOf(questionCount, 'question')} · version {version}
      </Text>
      {schedule !== null && <SetScheduleText schedule={schedule} />}
      {canManage && (
        <Group gap="xs">
          <Button size="xs" disabled={isRunning || questionCount === 0} onClick={starting.open}>
            Start a run
          </Button>
          <Button size="xs" variant="default" onClick={adding.open}>
            Add a question
          </Button>
          <Button size="xs" variant="default" onClick={importing.open}>
            Import questions
          </Button>
          <Button size="xs" variant="default" onClick={proposing.open}>
            From conversations
          </Button>
          <Button size="xs" variant="default" onClick={scheduling.open}>
            Schedule
          </Button>
          {isRunning && (
            <Text size="sm" c="dimmed">
              Another run can start when the current one has finished.
            </Text>
          )}
        </Group>
      )}
      <StartRunModal setId={id} opened={isStarting} onClose={starting.close} />
      <AddQuestionModal setId={id} opened={isAdding} onClose={adding.close} onChange={onChange} />
      <ProposalsModal
        setId={id}
        opened={isProposing}
        onClose={proposing.close}
        onChange={onChange}
      />
      <ImportQuestionsModal
        setId={id}
        questionCount={questionCount}
        opened={isImporting}
        onClose={importing.close}
        onChange={onChange}
      />
      <ScheduleModal
        setId={id}
        schedule={schedule}
        opened={isScheduling}
        onClose={scheduling.close}
        onChange={onChange}
      />
    </Stack>
  );
}
