import { SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { EmptyState } from '../components/empty-state.tsx';
import { LoadFailure } from '../components/error-messages.tsx';
import { ShowMoreButton } from '../components/show-more-button.tsx';
import { usePaginatedQuery } from '../graphql/use-paginated-query.ts';
import { useLiveInbox } from '../live-inbox/live-inbox.tsx';
import { useProject } from '../project/project.tsx';
import { Page } from '../shell/page.tsx';
import { QuestionItem } from './question-item.tsx';
import {
  questionsOf,
  type UnansweredQuestion,
  unansweredQuestionsQuery,
} from './unanswered-operations.ts';

type Status = UnansweredQuestion['status'];

const statuses: { value: Status; label: string }[] = [
  { value: 'OPEN', label: 'Open' },
  { value: 'DONE', label: 'Done' },
  { value: 'DISMISSED', label: 'Dismissed' },
];

const emptyTexts: Record<Status, { readonly title: string; readonly text: string }> = {
  OPEN: {
    title: 'No unanswered questions',
    text: 'Questions of the last 30 days appear here if the documents do not answer them or if their answers were rated bad.',
  },
  DONE: {
    title: 'Nothing done yet',
    text: 'Questions appear here when you mark them as done, or when they are answered well later.',
  },
  DISMISSED: {
    title: 'Nothing dismissed',
    text: 'Questions that you dismiss appear here. You can open them again.',
  },
};

/** Questions that the documents do not answer, most frequent first. */
export function UnansweredPage() {
  const { id: projectId } = useProject();
  const [status, setStatus] = useState<Status>('OPEN');
  const { nodes, error, isLoading, hasMore, loadMore, reload } = usePaginatedQuery(
    unansweredQuestionsQuery,
    { projectId, status },
    questionsOf,
  );
  const { refreshQuestions } = useLiveInbox();
  // After the list, because the service then knows the groups.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new list may have another number of questions
  useEffect(() => {
    if (!isLoading) refreshQuestions();
  }, [nodes, isLoading, refreshQuestions]);
  return (
    <Page title="Unanswered questions">
      <SegmentedControl
        aria-label="Status"
        w="fit-content"
        data={statuses}
        value={status}
        onChange={setStatus}
      />
      {error !== undefined && <LoadFailure error={error} onRetry={reload} />}
      {isLoading && <Skeleton h={240} maw={860} aria-label="Loading" />}
      {!isLoading && error === undefined && nodes.length === 0 && (
        <EmptyState {...emptyTexts[status]} />
      )}
      {nodes.length > 0 && (
        <Stack maw={860}>
          <Text size="sm" c="dimmed">
            Last 30 days, grouped by meaning, most frequent first. Small talk and tests in the
            playground are left out.
          </Text>
          <Stack gap="sm" component="ul" m={0} p={0} aria-label="Questions">
            {nodes.map((question) => (
              <QuestionItem
                key={question.questionId}
                question={question}
                others={nodes.filter(({ questionId }) => questionId !== question.questionId)}
                onChange={reload}
              />
            ))}
          </Stack>
        </Stack>
      )}
      {hasMore && <ShowMoreButton onClick={loadMore} />}
    </Page>
  );
}
