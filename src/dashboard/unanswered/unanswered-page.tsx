import { Badge, Button, Card, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter';
import { graphql } from '../graphql/graphql.ts';
import { useConnection } from '../graphql/use-connection.ts';
import { WriteDocumentModal } from '../knowledge/write-document-modal.tsx';
import { EmptyState } from '../shell/empty-state.tsx';
import { LoadFailure } from '../shell/failure.tsx';
import { Page } from '../shell/page.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { useProject } from '../shell/project.tsx';
import { Time } from '../shell/time.tsx';

const unansweredQuery = graphql(`
  query Unanswered($projectId: ID!, $after: String) {
    unansweredQuestions(projectId: $projectId, first: 30, after: $after) {
      edges {
        node {
          question
          count
          badFeedbackCount
          lastAskedAt
          conversationIds
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);
const questionsOf = (data: ResultOf<typeof unansweredQuery>) => data.unansweredQuestions;
type Question = ReturnType<typeof questionsOf>['edges'][number]['node'];

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
      {isLoading && <Skeleton h={240} aria-label="Loading" />}
      {!isLoading && error === undefined && nodes.length === 0 && (
        <EmptyState
          title="Nothing is missing"
          text="Questions that the documents do not answer, or whose answers were rated bad, are collected here."
        />
      )}
      <Stack gap="sm" component="ul" m={0} p={0}>
        {nodes.map((question) => (
          <QuestionItem key={question.question} question={question} />
        ))}
      </Stack>
      {hasMore && (
        <Button variant="default" onClick={loadMore} w="fit-content">
          Show more
        </Button>
      )}
    </Page>
  );
}

function QuestionItem({ question }: { readonly question: Question }) {
  const { id: projectId } = useProject();
  const { canWriteKnowledge, canChat } = usePermissions();
  const [isWriting, writing] = useDisclosure(false);
  const [latest] = question.conversationIds;
  const ask = `/${projectId}/playground?${new URLSearchParams({ ask: question.question })}`;
  return (
    <Card withBorder component="li" padding="md">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {question.question}
          </Text>
          <Group gap="xs" mt={4}>
            <Badge variant="light" tt="none">
              asked {question.count === 1 ? 'once' : `${question.count} times`}
            </Badge>
            {question.badFeedbackCount > 0 && (
              <Badge variant="light" color="red" tt="none">
                rated bad{' '}
                {question.badFeedbackCount === 1 ? 'once' : `${question.badFeedbackCount} times`}
              </Badge>
            )}
            <Time at={question.lastAskedAt} size="sm" c="dimmed" />
            {latest !== undefined && (
              <Text
                size="sm"
                component={Link}
                href={`/${projectId}/conversations/${latest}`}
                c="var(--mantine-color-anchor)"
              >
                Last conversation
              </Text>
            )}
          </Group>
        </div>
        <Group gap="xs" wrap="nowrap">
          {canChat && (
            <Button variant="default" size="xs" component={Link} href={ask}>
              Ask again
            </Button>
          )}
          {canWriteKnowledge && (
            <Button size="xs" onClick={writing.open}>
              Write the answer
            </Button>
          )}
        </Group>
      </Group>
      <WriteDocumentModal
        opened={isWriting}
        onClose={writing.close}
        name={question.question.slice(0, 200)}
        content={`# ${question.question}\n\n`}
      />
    </Card>
  );
}
