import { Button, Drawer, Mark, Paper, Skeleton, Stack, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { LoadFailure } from '../components/error-messages.tsx';
import { graphql } from '../graphql/graphql.ts';
import { isNotFound } from '../graphql/is-not-found.ts';
import { readerPathOf } from '../knowledge/reader/reader-path.ts';
import { useProject } from '../project/project.tsx';

/** A cited chunk, and the quote in the chunk that supports the answer. */
export interface Source {
  readonly documentId: string;
  readonly documentName: string;
  readonly chunkId: string;
  readonly quote: string | null;
}

const sourceChunksQuery = graphql(`
  query Source($projectId: ID!, $documentId: ID!, $chunkId: ID!) {
    documentChunks(projectId: $projectId, documentId: $documentId, around: $chunkId, first: 5) {
      edges {
        node {
          id
          position
          page
          content
        }
      }
    }
  }
`);
type Chunk = ResultOf<typeof sourceChunksQuery>['documentChunks']['edges'][number]['node'];

/** Shows the cited chunk and its neighbors next to the transcript. */
export function SourceDrawer({
  source,
  onClose,
}: {
  /** The source to show. Null closes the drawer. */
  readonly source: Source | null;
  readonly onClose: () => void;
}) {
  // Keep the source while the drawer closes. Otherwise the dialog would lose its name and text before it has
  // disappeared.
  const [shown, setShown] = useState(source);
  if (source !== null && source !== shown) setShown(source);
  return (
    <Drawer
      opened={source !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={shown?.documentName}
      closeButtonProps={{ 'aria-label': 'Close the source' }}
      styles={{ title: { fontWeight: 600, overflowWrap: 'anywhere' } }}
    >
      {shown !== null && <SourceChunks source={shown} />}
    </Drawer>
  );
}

function SourceChunks({ source }: { readonly source: Source }) {
  const { id: projectId } = useProject();
  const { documentId, chunkId, quote } = source;
  const [{ data, error }, reload] = useQuery({
    query: sourceChunksQuery,
    variables: { projectId, documentId, chunkId },
    requestPolicy: 'network-only',
  });
  if (isNotFound(error)) {
    return <SourceUnavailable text="The document was deleted after this answer." />;
  }
  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (data === undefined) return <Skeleton h={240} aria-label="Loading" />;
  const chunks = data.documentChunks.edges.map(({ node }) => node);
  if (!chunks.some(({ id }) => id === chunkId)) {
    return <SourceUnavailable text="The document was processed again after this answer." />;
  }
  return (
    <Stack gap="sm">
      {chunks.map((chunk) => (
        <ChunkText key={chunk.id} chunk={chunk} isCited={chunk.id === chunkId} quote={quote} />
      ))}
      <Button
        component={Link}
        href={readerPathOf(projectId, source)}
        variant="default"
        w="fit-content"
      >
        Open in document
      </Button>
    </Stack>
  );
}

function ChunkText({
  chunk: { position, page, content },
  isCited,
  quote,
}: {
  readonly chunk: Chunk;
  readonly isCited: boolean;
  readonly quote: string | null;
}) {
  const quoteStart = isCited && quote !== null && quote !== '' ? content.indexOf(quote) : -1;
  return (
    <Paper
      component="section"
      aria-label={`Chunk ${position + 1}`}
      aria-current={isCited ? 'true' : undefined}
      withBorder
      p="sm"
      ref={(element) => {
        if (isCited) element?.scrollIntoView({ block: 'nearest' });
      }}
      style={{
        borderColor: isCited ? 'var(--mantine-primary-color-filled)' : 'transparent',
        opacity: isCited ? 1 : 0.85,
      }}
    >
      <Text size="xs" c="dimmed" mb={4}>
        Chunk {position + 1}
        {page !== null && ` · page ${page}`}
        {isCited && ' · cited'}
      </Text>
      <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {quoteStart < 0 || quote === null ? (
          content
        ) : (
          <>
            {content.slice(0, quoteStart)}
            <Mark>{quote}</Mark>
            {content.slice(quoteStart + quote.length)}
          </>
        )}
      </Text>
    </Paper>
  );
}

function SourceUnavailable({ text }: { readonly text: string }) {
  return (
    <Text c="dimmed" role="status">
      {text}
    </Text>
  );
}
