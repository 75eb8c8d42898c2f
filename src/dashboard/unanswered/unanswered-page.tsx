import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useConnection } from '../graphql/use-connection.ts';
import { EmptyState } from '../shell/empty-state.tsx';
import { LoadFailure } from '../shell/failure.tsx';
import { Page } from '../shell/page.tsx';
import { useProject } from '../shell/project.tsx';
import { QuestionItem } from './question-item.tsx';
import { questionsOf, unansweredQuery } from './unanswered-operations.ts';

/** What the documents do not answer, the most frequent first, and the way to write what is missing. */
export function UnansweredPage() {
  const { id: projectId } = useProject();
  const { nodes, error, isLoading, hasMore, loadMore, reload } = useConnection(
    unansweredQuery,
    { projectId },
    questionsOf,
  );
  return (
    <Page title="Unanswered questions">
      {error !== undefined && <LoadFailure error={error} onRetry={reload} />}
      {isLoading && <Skeleton h={240} maw={860} aria-label="Loading" />}
      {!isLoading && error === undefined && nodes.length === 0 && (
        <EmptyState
          title="Nothing is missing"
          text="Questions of the last 30 days that the documents do not answer, or whose answers were rated bad, are collected here."
        />
      )}
      {nodes.length > 0 && (
        <Stack maw={860}>
          <Text size="sm" c="dimmed">
            Of the last 30 days, grouped by what they mean, the most frequent first.
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
