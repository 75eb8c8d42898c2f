import { Alert, Button, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadFailure } from '../../components/error-messages.tsx';
import type { useDocumentChunks } from '../use-document-chunks.ts';
import { Passage } from './passage.tsx';

/** The loaded part of a document's text. Scrolling down loads more. */
export function DocumentText({
  chunks,
  chunkId,
  quote,
  page,
  path,
}: {
  readonly chunks: ReturnType<typeof useDocumentChunks>;
  readonly chunkId: string | null;
  readonly quote: string | null;
  readonly page: number | null;
  /** Path that shows the text from its start. */
  readonly path: string;
}) {
  const { nodes, error, hasEarlier, hasLater } = chunks;
  if (nodes.length === 0) return <NoText page={page} path={path} />;
  const isCitedMissing = chunkId !== null && !nodes.some(({ id }) => id === chunkId);
  return (
    <>
      {isCitedMissing && (
        <Alert title="The cited passage no longer exists">
          The document was processed again after the answer. This is its current text.
        </Alert>
      )}
      {hasEarlier && (
        <Button variant="default" onClick={() => void chunks.loadEarlier()} w="fit-content">
          Show earlier text
        </Button>
      )}
      <div>
        {nodes.map((chunk, index) => {
          const previous = nodes[index - 1];
          return (
            <Passage
              key={chunk.id}
              chunk={chunk}
              isNewPage={chunk.page !== previous?.page}
              isNewSection={chunk.context !== previous?.context}
              isCited={chunk.id === chunkId}
              quote={quote}
            />
          );
        })}
      </div>
      {error !== undefined && <LoadFailure error={error} onRetry={() => void chunks.loadLater()} />}
      {hasLater && error === undefined && (
        <MoreText loadedCount={nodes.length} onReach={() => void chunks.loadLater()} />
      )}
      {!hasLater && (
        <Text size="xs" c="dimmed">
          End of the document
        </Text>
      )}
    </>
  );
}

/**
 * Calls `onReach` when the reader has almost reached the end of the loaded text. Keyboard users can press the button
 * instead.
 */
function MoreText({
  loadedCount,
  onReach,
}: {
  readonly loadedCount: number;
  readonly onReach: () => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const reach = useRef(onReach);
  reach.current = onReach;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an observer reports changes only, so each load needs one
  useEffect(() => {
    if (button.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) reach.current();
      },
      { rootMargin: '0px 0px 1200px' },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [loadedCount]);
  return (
    <Button ref={button} variant="default" onClick={onReach} w="fit-content">
      Show more text
    </Button>
  );
}

function NoText({ page, path }: { readonly page: number | null; readonly path: string }) {
  if (page === null) {
    return <EmptyState title="No text yet" text="The text appears when the document is READY." />;
  }
  return (
    <Stack align="center">
      <EmptyState title={`No page ${page}`} text="The document has no such page.">
        <Button component={Link} href={path} variant="default">
          Read from the start
        </Button>
      </EmptyState>
    </Stack>
  );
}
