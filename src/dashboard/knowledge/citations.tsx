import { Anchor, Group, Text } from '@mantine/core';
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

/** The sources of an answer; each leads to its place in its document. */
export function Citations({ citations }: { readonly citations: readonly Citation[] }) {
  const { id } = useProject();
  if (citations.length === 0) return null;
  return (
    <Group gap="xs" component="ol" m={0} p={0} aria-label="Sources">
      {citations.map(({ chunkId, documentId, documentName, page, quote }, index) => (
        <Text
          key={chunkId}
          component="li"
          size="xs"
          style={{ listStyle: 'none' }}
          title={quote ?? undefined}
        >
          [{index + 1}]{' '}
          <Anchor component={Link} href={`/${id}/knowledge/${documentId}/${chunkId}`} size="xs">
            {documentName}
            {page !== null && `, page ${page}`}
          </Anchor>
        </Text>
      ))}
    </Group>
  );
}
