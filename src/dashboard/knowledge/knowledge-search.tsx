import {
  Alert,
  Badge,
  Button,
  Card,
  Group,
  Highlight,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { graphql } from '../graphql/graphql.ts';
import { EmptyState } from '../shell/empty-state.tsx';
import { LoadFailure } from '../shell/failure.tsx';
import { useProject } from '../shell/project.tsx';

const searchQuery = graphql(`
  query SearchKnowledge($projectId: ID!, $query: String!) {
    searchKnowledge(projectId: $projectId, query: $query, limit: 10) {
      chunkId
      documentId
      documentName
      content
      score
      page
    }
  }
`);

/** What the assistant would find for a question, best first. */
export function KnowledgeSearch() {
  const [text, setText] = useState('');
  const [query, setQuery] = useState('');
  const search = (event: FormEvent) => {
    event.preventDefault();
    setQuery(text.trim());
  };
  return (
    <Stack>
      <form onSubmit={search}>
        <Group align="flex-end">
          <TextInput
            label="Question"
            value={text}
            maxLength={4_000}
            onChange={(event) => setText(event.currentTarget.value)}
            flex={1}
            maw={640}
          />
          <Button type="submit" disabled={text.trim() === ''}>
            Search
          </Button>
        </Group>
      </form>
      {query === '' ? (
        <EmptyState
          title="Search as the assistant does"
          text="The passages it would answer from are shown with their scores."
        />
      ) : (
        <Results query={query} />
      )}
    </Stack>
  );
}

function Results({ query }: { readonly query: string }) {
  const { id: projectId } = useProject();
  const [{ data, error, fetching }, reload] = useQuery({
    query: searchQuery,
    variables: { projectId, query },
    requestPolicy: 'cache-and-network',
  });
  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (data === undefined || fetching) return <Skeleton h={240} aria-label="Loading" />;
  if (data.searchKnowledge.length === 0) {
    return <Alert variant="light">The project has no documents that can be searched yet.</Alert>;
  }
  const words = query.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return (
    <Stack component="ol" m={0} p={0} gap="sm" aria-label="Results">
      {data.searchKnowledge.map((result) => (
        <Card key={result.chunkId} withBorder component="li" padding="md">
          <Group justify="space-between" mb="xs">
            <Text
              component={Link}
              href={`/${projectId}/knowledge/${result.documentId}/${result.chunkId}`}
              fw={600}
              c="var(--mantine-color-anchor)"
            >
              {result.documentName}
              {result.page !== null && `, page ${result.page}`}
            </Text>
            <Badge variant="light" tt="none">
              Score {result.score.toFixed(2)}
            </Badge>
          </Group>
          <Highlight
            highlight={words}
            size="sm"
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
          >
            {result.content}
          </Highlight>
        </Card>
      ))}
    </Stack>
  );
}
