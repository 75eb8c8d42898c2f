import { Alert, Button, Card, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { LoadFailure } from '../shell/failure.tsx';
import { useChunks } from './use-chunks.ts';

/** What a document was split into. The chunk that is looked for stands out, and is scrolled to. */
export function DocumentChunks({
  documentId,
  chunkId,
  version,
}: {
  readonly documentId: string;
  readonly chunkId: string | null;
  /** Other chunks are there after each reading of the document. */
  readonly version: string;
}) {
  const chunks = useChunks(documentId, chunkId);
  const { nodes, error, isLoaded, hasEarlier, hasLater, readAgain } = chunks;
  const shown = useRef(version);
  useEffect(() => {
    if (shown.current !== version) readAgain();
    shown.current = version;
  }, [version, readAgain]);

  const cited = useRef<HTMLDivElement>(null);
  const isCitedThere = nodes.some(({ id }) => id === chunkId);
  useEffect(() => {
    if (!isCitedThere || chunkId === null) return;
    cited.current?.scrollIntoView({ block: 'center' });
    cited.current?.focus({ preventScroll: true });
  }, [isCitedThere, chunkId]);

  if (error !== undefined) return <LoadFailure error={error} onRetry={readAgain} />;
  if (!isLoaded) return <Skeleton h={240} aria-label="Loading" />;
  return (
    <Stack gap="sm">
      {chunkId !== null && !isCitedThere && (
        <Alert title="The cited passage is not here any more">
          The document was read again since. This is what it holds now.
        </Alert>
      )}
      {hasEarlier && (
        <Button variant="default" onClick={() => void chunks.readEarlier()} w="fit-content">
          Show earlier
        </Button>
      )}
      {nodes.map(({ id, position, page, content, tokenCount }) => {
        const isCited = id === chunkId;
        return (
          <Card
            key={id}
            ref={isCited ? cited : undefined}
            tabIndex={isCited ? -1 : undefined}
            withBorder
            padding="md"
            component="section"
            aria-label={`Chunk ${position + 1}`}
            aria-current={isCited ? 'true' : undefined}
            style={
              isCited
                ? {
                    borderColor: 'var(--mantine-primary-color-filled)',
                    backgroundColor: 'var(--mantine-primary-color-light)',
                  }
                : undefined
            }
          >
            <Text size="xs" c="dimmed" mb={4}>
              Chunk {position + 1}
              {page !== null && ` · page ${page}`} · {tokenCount}{' '}
              {tokenCount === 1 ? 'token' : 'tokens'}
              {isCited && ' · cited'}
            </Text>
            <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {content}
            </Text>
          </Card>
        );
      })}
      {hasLater && (
        <Button variant="default" onClick={() => void chunks.readLater()} w="fit-content">
          Show more
        </Button>
      )}
    </Stack>
  );
}
