import { Alert, Button, Card, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { LoadFailure } from '../components/error-messages.tsx';
import { ShowMoreButton } from '../components/show-more-button.tsx';
import { useDocumentChunks } from './use-document-chunks.ts';

/** The chunks of a document. The cited chunk is highlighted and scrolled into view. */
export function DocumentChunks({
  documentId,
  chunkId,
  version,
}: {
  readonly documentId: string;
  readonly chunkId: string | null;
  /**
   * A value that changes when the document is processed again. Then the chunks are reloaded, because processing
   * replaces them.
   */
  readonly version: string;
}) {
  const chunks = useDocumentChunks(documentId, chunkId);
  const { nodes, error, isLoaded, hasEarlier, hasLater, reload } = chunks;
  const shownVersion = useRef(version);
  useEffect(() => {
    if (shownVersion.current !== version) reload();
    shownVersion.current = version;
  }, [version, reload]);

  const citedRef = useRef<HTMLDivElement>(null);
  const isCitedLoaded = nodes.some(({ id }) => id === chunkId);
  useEffect(() => {
    if (!isCitedLoaded || chunkId === null) return;
    citedRef.current?.scrollIntoView({ block: 'center' });
    citedRef.current?.focus({ preventScroll: true });
  }, [isCitedLoaded, chunkId]);

  if (error !== undefined) return <LoadFailure error={error} onRetry={reload} />;
  if (!isLoaded) return <Skeleton h={240} aria-label="Loading" />;
  return (
    <Stack gap="sm">
      {chunkId !== null && !isCitedLoaded && (
        <Alert title="The cited passage no longer exists">
          The document was processed again after the answer. These are its current chunks.
        </Alert>
      )}
      {hasEarlier && (
        <Button variant="default" onClick={() => void chunks.loadEarlier()} w="fit-content">
          Show earlier
        </Button>
      )}
      {nodes.map(({ id, position, page, content, tokenCount }) => {
        const isCited = id === chunkId;
        return (
          <Card
            key={id}
            ref={isCited ? citedRef : undefined}
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
      {hasLater && <ShowMoreButton onClick={() => void chunks.loadLater()} />}
    </Stack>
  );
}
