import {
  Alert,
  Anchor,
  Badge,
  Button,
  Card,
  Group,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { useEffect, useRef } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { graphql } from '../graphql/graphql.ts';
import { useConnection } from '../graphql/use-connection.ts';
import { LoadFailure } from '../shell/failure.tsx';
import { useProject } from '../shell/project.tsx';
import { saySize } from '../shell/say-size.ts';
import { Time } from '../shell/time.tsx';

const documentQuery = graphql(`
  query Document($projectId: ID!, $id: ID!) {
    document(projectId: $projectId, id: $id) {
      id
      name
      status
      mimeType
      sizeBytes
      chunkCount
      tokenCount
      createdAt
      error {
        message
      }
    }
  }
`);

const chunksQuery = graphql(`
  query DocumentChunks($projectId: ID!, $documentId: ID!, $around: ID, $after: String) {
    documentChunks(
      projectId: $projectId
      documentId: $documentId
      around: $around
      first: 30
      after: $after
    ) {
      edges {
        node {
          id
          position
          page
          content
          tokenCount
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);
const chunksOf = ({ documentChunks }: ResultOf<typeof chunksQuery>) => documentChunks;

/** A document with the chunks it was split into; the one that an answer cites stands out. */
export function DocumentPanel({
  documentId,
  chunkId,
}: {
  readonly documentId: string;
  readonly chunkId: string | null;
}) {
  const { id: projectId } = useProject();
  const [{ data, error }, reload] = useQuery({
    query: documentQuery,
    variables: { projectId, id: documentId },
    requestPolicy: 'cache-and-network',
  });
  const document = data?.document;
  return (
    <Stack maw={860}>
      <Anchor component={Link} href={`/${projectId}/knowledge`} size="sm">
        <IconArrowLeft size={14} aria-hidden /> All documents
      </Anchor>
      {document === undefined ? (
        error === undefined ? (
          <Skeleton h={120} aria-label="Loading" />
        ) : (
          <LoadFailure error={error} onRetry={reload} />
        )
      ) : (
        <>
          <Group>
            <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
              {document.name}
            </Title>
            <Badge variant="light">{document.status}</Badge>
          </Group>
          <Text size="sm" c="dimmed">
            {document.mimeType} · {saySize(document.sizeBytes)} · {document.chunkCount} chunks ·{' '}
            {document.tokenCount} tokens · added <Time at={document.createdAt} size="sm" span />
          </Text>
          {document.error !== null && (
            <Alert color="red" title="This document could not be read">
              {document.error.message}
            </Alert>
          )}
          <Chunks documentId={documentId} chunkId={chunkId} />
        </>
      )}
    </Stack>
  );
}

function Chunks({
  documentId,
  chunkId,
}: {
  readonly documentId: string;
  readonly chunkId: string | null;
}) {
  const { id: projectId } = useProject();
  const { nodes, error, isLoading, hasMore, loadMore, reload } = useConnection(
    chunksQuery,
    { projectId, documentId, around: chunkId },
    chunksOf,
  );
  const cited = useRef<HTMLDivElement>(null);
  const isCitedShown = nodes.some(({ id }) => id === chunkId);
  useEffect(() => {
    if (isCitedShown) cited.current?.scrollIntoView({ block: 'center' });
  }, [isCitedShown]);

  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (isLoading) return <Skeleton h={240} aria-label="Loading" />;
  return (
    <Stack gap="sm">
      {nodes.map(({ id, position, page, content, tokenCount }) => (
        <Card
          key={id}
          ref={id === chunkId ? cited : undefined}
          withBorder
          padding="md"
          component="section"
          aria-label={`Chunk ${position + 1}`}
          aria-current={id === chunkId ? 'true' : undefined}
          style={
            id === chunkId
              ? { borderColor: 'var(--mantine-primary-color-filled)', borderWidth: 2 }
              : undefined
          }
        >
          <Text size="xs" c="dimmed" mb={4}>
            Chunk {position + 1}
            {page !== null && ` · page ${page}`} · {tokenCount} tokens
            {id === chunkId && ' · cited'}
          </Text>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {content}
          </Text>
        </Card>
      ))}
      {hasMore && (
        <Button variant="default" onClick={loadMore} w="fit-content">
          Show more
        </Button>
      )}
    </Stack>
  );
}
