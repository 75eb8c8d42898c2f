import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadFailure } from '../../components/error-messages.tsx';
import { PageNumbers } from '../../components/page-numbers.tsx';
import { RowList } from '../../components/row-list.tsx';
import { useFreshQuery } from '../../graphql/use-fresh-query.ts';
import { usePolling } from '../../graphql/use-polling.ts';
import { useProject } from '../../project/project.tsx';
import { useNotifyingMutation } from '../../project/use-notifying-mutation.ts';
import { usePermissions } from '../../project/use-permissions.ts';
import { evaluationPaths } from '../evaluation-paths.ts';
import { isActive, pollIntervalMs } from '../runs/describe-run.ts';
import { QuestionSetRow } from './question-set-row.tsx';
import { SetNameModal } from './set-name-modal.tsx';
import { createQuestionSetMutation, questionSetsQuery } from './set-operations.ts';

const explanation =
  'A set contains questions with the answers that you expect, so that you can measure the assistant before and after a change.';

/** The question sets of the project, newest first. */
export function QuestionSetList() {
  const { id: projectId } = useProject();
  const { canManage } = usePermissions();
  const [, navigate] = useLocation();
  const [page, setPage] = useState(1);
  const [isCreating, creating] = useDisclosure(false);
  const create = useNotifyingMutation(createQuestionSetMutation, 'The set was not created');
  const { data, error, reload } = useFreshQuery(questionSetsQuery, { projectId, page });
  const runs = data?.latestRuns.data ?? [];
  usePolling(reload, runs.some(isActive) ? pollIntervalMs : null);
  const sets = data?.questionSetPage;
  const createButton = canManage && <Button onClick={creating.open}>Create a set</Button>;
  return (
    <Stack maw={860}>
      <Anchor
        component={Link}
        href={evaluationPaths(projectId).confidence}
        size="sm"
        w="fit-content"
      >
        Confidence in this project
      </Anchor>
      {error !== undefined && <LoadFailure error={error} onRetry={reload} />}
      {sets === undefined && error === undefined && <Skeleton h={240} aria-label="Loading" />}
      {sets?.total === 0 && (
        <EmptyState title="No question sets yet" text={explanation}>
          {createButton}
        </EmptyState>
      )}
      {sets !== undefined && sets.total > 0 && (
        <>
          <Group justify="space-between">
            <Text c="dimmed" size="sm" maw={560}>
              {explanation}
            </Text>
            {createButton}
          </Group>
          <RowList label="Question sets">
            {sets.data.map((set) => (
              <QuestionSetRow
                key={set.id}
                set={set}
                lastRun={runs.find(({ setId }) => setId === set.id) ?? null}
                hasOlderRuns={data?.latestRuns.hasMore === true}
                onChange={reload}
              />
            ))}
          </RowList>
          <PageNumbers
            label="Pages of question sets"
            page={page}
            totalPages={sets.totalPages}
            onChange={setPage}
          />
        </>
      )}
      <SetNameModal
        opened={isCreating}
        onClose={creating.close}
        name={null}
        saving={create}
        onSave={async (name, handleError) => {
          const created = await create.run({ projectId, name }, handleError);
          if (created === null) return false;
          navigate(evaluationPaths(projectId).set(created.createQuestionSet.id));
          return true;
        }}
      />
    </Stack>
  );
}
