import { Anchor, Group, Text } from '@mantine/core';
import type { MouseEvent } from 'react';
import { Link } from 'wouter';
import { useProject } from '../shell/project.tsx';

interface Citation {
  readonly chunkId: string;
  readonly documentId: string;
  readonly documentName: string;
  readonly page: number | null;
  readonly quote: string | null;
  readonly startOffset: number;
}

/** The sources of an answer; each leads to its place in its document, or is shown by `onOpen` where one is. */
export function Citations({
  citations,
  onOpen,
}: {
  readonly citations: readonly Citation[];
  readonly onOpen?: (citation: Citation) => void;
}) {
  const { id } = useProject();
  if (citations.length === 0) return null;
  return (
    <Group gap="xs" component="ol" m={0} p={0} aria-label="Sources">
      {citations.map((citation, index) => (
        <Text
          key={citation.chunkId}
          component="li"
          size="xs"
          style={{ listStyle: 'none', overflowWrap: 'anywhere' }}
          title={citation.quote ?? undefined}
        >
          [{index + 1}]{' '}
          <Anchor
            component={Link}
            href={`/${id}/knowledge/${citation.documentId}/${citation.chunkId}`}
            size="xs"
            onClick={(event: MouseEvent) => {
              // With a key held it is for a tab of its own.
              if (onOpen === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              onOpen(citation);
            }}
          >
            {citation.documentName}
            {citation.page !== null && `, page ${citation.page}`}
          </Anchor>
        </Text>
      ))}
    </Group>
  );
}
