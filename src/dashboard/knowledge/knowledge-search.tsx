import { Anchor, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { type FormEvent, useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { Link, useSearchParams } from 'wouter';
import { Confidence } from '../conversations/confidence.tsx';
import { graphql } from '../graphql/graphql.ts';
import { EmptyState } from '../shell/empty-state.tsx';
import { LoadFailure } from '../shell/failure.tsx';
import { usePermissions } from '../shell/permissions.ts';
import { useProject } from '../shell/project.tsx';
import { sayDuration } from '../shell/say-duration.ts';
import { SearchResult } from './search-result.tsx';

const explainQuery = graphql(`
  query ExplainSearch($projectId: ID!, $query: String!) {
    explainSearch(projectId: $projectId, query: $query) {
      isAnswerable
      confidence
      tookMs
      results {
        isGround
        matches {
          start
          end
        }
        result {
          chunkId
          documentId
          documentName
          content
          page
          score
          similarity
          lexical
        }
      }
    }
  }
`);

export type Explanation = ResultOf<typeof explainQuery>['explainSearch'];

/** What the assistant would find for a question, best first. The question stands in the address. */
export function KnowledgeSearch() {
  const [params, setParams] = useSearchParams();
  const query = params.get('query')?.trim().slice(0, 4_000) ?? '';
  const [text, setText] = useState(query);
  useEffect(() => setText(query), [query]);
  const search = (event: FormEvent) => {
    event.preventDefault();
    setParams({ view: 'search', query: text.trim() });
  };
  return (
    <Stack maw={860}>
      <form onSubmit={search}>
        <Group align="flex-end" wrap="nowrap">
          <TextInput
            label="Question"
            placeholder="Until when is breakfast served?"
            value={text}
            maxLength={4_000}
            onChange={(event) => setText(event.currentTarget.value)}
            flex={1}
          />
          <Button type="submit" disabled={text.trim() === ''}>
            Search
          </Button>
        </Group>
      </form>
      {query === '' ? (
        <EmptyState
          title="Search as the assistant does"
          text="Ask what an end user would ask: you see the passages that are found, why, and which of them an answer would be made from."
        />
      ) : (
        <Results query={query} />
      )}
    </Stack>
  );
}

function Results({ query }: { readonly query: string }) {
  const { id: projectId } = useProject();
  const [{ data, error, fetching }, read] = useQuery({
    query: explainQuery,
    variables: { projectId, query },
    requestPolicy: 'cache-and-network',
  });
  if (error !== undefined) {
    return <LoadFailure error={error} onRetry={() => read({ requestPolicy: 'network-only' })} />;
  }
  if (data === undefined) return <Skeleton h={320} aria-label="Loading" />;
  const { results } = data.explainSearch;
  return (
    <Stack
      gap="sm"
      aria-busy={fetching}
      style={{ opacity: fetching ? 0.5 : 1, transition: 'opacity 150ms' }}
    >
      <Verdict explanation={data.explainSearch} query={query} />
      {results.length > 0 && (
        <Stack component="ol" m={0} p={0} gap="sm" aria-label="Results">
          {results.map((found, index) => (
            <SearchResult key={found.result.chunkId} found={found} rank={index + 1} />
          ))}
        </Stack>
      )}
    </Stack>
  );
}

/** What the assistant would make of the results. */
function Verdict({
  explanation,
  query,
}: {
  readonly explanation: Explanation;
  readonly query: string;
}) {
  const { id: projectId } = useProject();
  const { canChat } = usePermissions();
  const { results, isAnswerable, confidence, tookMs } = explanation;
  if (results.length === 0) {
    return (
      <EmptyState
        title="Nothing was found"
        text="The project has no documents that are ready. Add some under Documents."
      />
    );
  }
  const grounds = results.filter(({ isGround }) => isGround).length;
  return (
    <Stack gap={4} role="status">
      <Text fw={600}>
        {isAnswerable
          ? `The assistant would answer from ${grounds === 1 ? 'the first of these' : `${grounds} of these`}`
          : 'The assistant would say that it does not know'}
      </Text>
      <Group gap="xs">
        <Confidence value={confidence} />
        <Text size="sm" c="dimmed">
          {results.length === 1 ? '1 passage' : `${results.length} passages`} in{' '}
          {sayDuration(Math.max(1, tookMs))}
        </Text>
        {canChat && (
          <Anchor
            component={Link}
            href={`/${projectId}/playground?${new URLSearchParams({ ask: query })}`}
            size="sm"
          >
            Ask it in the playground
          </Anchor>
        )}
      </Group>
    </Stack>
  );
}
