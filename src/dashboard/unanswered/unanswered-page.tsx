import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { EmptyState } from '../components/empty-state.tsx';
import { LoadFailure } from '../components/error-messages.tsx';
import { usePaginatedQuery } from '../graphql/use-paginated-query.ts';
import { useProject } from '../project/project.tsx';
import { Page } from '../shell/page.tsx';
import { QuestionItem } from './question-item.tsx';
import { questionsOf, unansweredQuestionsQuery } from './unanswered-operations.ts';

/** Questions that the documents do not answer, most frequent first. */
export function UnansweredPage() {
  const { id: projectId } = useProject();
  const { nodes, error, isLoading, hasMore, loadMore, reload } = usePaginatedQuery(
    unansweredQuestionsQuery,
    { projectId },
    questionsOf,
  );
  return (
    <Page title="Unanswered questions">
      {error !== undefined && <LoadFailure error={error} onRetry={reload} />}
      {isLoading && <Skeleton h={240} maw={860} aria-label="Loading" />}
      {!isLoading && error === undefined && nodes.length === 0 && (
        <EmptyState
          title="No unanswered questions"
          text="Questions of the last 30 days appear here if the documents do not answer them or if their answers were rated bad."
        />
      )}
      {nodes.length > 0 && (
        <Stack maw={860}>
          <Text size="sm" c="dimmed">
            Last 30 days, grouped by meaning, most frequent first.
          </Text>
          <Stack gap="sm" component="ul" m={0} p={0} aria-label="Questions">
            {nodes.map((question) => (
              <QuestionItem key={question.question} question={question} />
            ))}
          </Stack>
        </Stack>
      )}
      {hasMore && (
        <Button variant="default" onClick={loadMore} w="fit-content">
          Show more
        </Button>
      )}
    </Page>
  );
}
