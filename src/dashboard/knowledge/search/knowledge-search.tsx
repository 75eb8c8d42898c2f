import { Anchor, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { Link, useSearchParams } from 'wouter';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadFailure } from '../../components/error-messages.tsx';
import { formatDuration } from '../../format/format-duration.ts';
import { useProject } from '../../project/project.tsx';
import { usePermissions } from '../../project/use-permissions.ts';
import { ConfidenceBadge } from '../../transcript/confidence-badge.tsx';
import { CorrectedQuestion } from '../../transcript/corrected-question.tsx';
import { explainSearchQuery, type SearchExplanation } from './explain-search-query.ts';
import { SearchResult } from './search-result.tsx';

/** The passages that retrieval returns for a question, best first. The URL stores the question. */
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
            placeholder="When is breakfast served?"
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
          title="See what the assistant finds"
          text="Enter a question to see the passages that are found, their scores, and which of them the assistant would answer from."
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
    query: explainSearchQuery,
    variables: { projectId, query },
    requestPolicy: 'cache-and-network',
  });
  if (error !== undefined) {
    return <LoadFailure error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} />;
  }
  if (data === undefined) return <Skeleton h={320} aria-label="Loading" />;
  const { results } = data.explainSearch;
  return (
    <Stack
      gap="sm"
      aria-busy={fetching}
      style={{ opacity: fetching ? 0.5 : 1, transition: 'opacity 150ms' }}
    >
      <AnswerabilitySummary explanation={data.explainSearch} query={query} />
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

/** Shows whether the assistant would answer from these results. */
function AnswerabilitySummary({
  explanation,
  query,
}: {
  readonly explanation: SearchExplanation;
  readonly query: string;
}) {
  const { id: projectId } = useProject();
  const { canChat } = usePermissions();
  const { results, isAnswerable, correctedQuery, confidence, tookMs } = explanation;
  if (results.length === 0) {
    return (
      <EmptyState
        title="No passages found"
        text="The project has no documents with the status READY. Add some under Documents."
      />
    );
  }
  const contextChunkCount = results.filter(({ isGround }) => isGround).length;
  return (
    <Stack gap={4} role="status">
      <Text fw={600}>
        {isAnswerable
          ? `The assistant would answer from ${contextChunkCount === 1 ? 'the first passage' : `${contextChunkCount} of these passages`}`
          : 'The assistant would say that it does not know'}
      </Text>
      {correctedQuery !== null && <CorrectedQuestion text={correctedQuery} />}
      <Group gap="xs">
        <ConfidenceBadge value={confidence} />
        <Text size="sm" c="dimmed">
          {results.length === 1 ? '1 passage' : `${results.length} passages`} in{' '}
          {formatDuration(Math.max(1, tookMs))}
        </Text>
        {canChat && (
          <Anchor
            component={Link}
            href={`/${projectId}/playground?${new URLSearchParams({ ask: query })}`}
            size="sm"
          >
            Ask in the playground
          </Anchor>
        )}
      </Group>
    </Stack>
  );
}
