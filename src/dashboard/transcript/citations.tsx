import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import type { MouseEvent } from 'react';
import { Link } from 'wouter';
import { graphql } from '../graphql/graphql.ts';
import { readerPathOf } from '../knowledge/reader/reader-path.ts';
import { useProject } from '../project/project.tsx';
import { SourceLink } from './source-link.tsx';

export const citationFields = graphql(`
  fragment CitationFields on Citation {
    chunkId
    documentId
    documentName
    page
    quote
    startOffset
    sourceUrl
  }
`);

export type Citation = ResultOf<typeof citationFields>;

/**
 * The sources of an answer. Their numbers are those of the citation markers. A click calls `onOpen`. Without `onOpen`,
 * a click follows the link to the passage in the document.
 */
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
    <Stack gap={4} component="ol" m={0} p={0} aria-label="Sources">
      {citations.map((citation, index) => {
        const { chunkId, documentName, page, quote, sourceUrl } = citation;
        return (
          <Group
            key={chunkId}
            component="li"
            gap={6}
            wrap="nowrap"
            align="baseline"
            style={{ listStyle: 'none' }}
          >
            <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
              [{index + 1}]
            </Text>
            <Text size="xs" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
              <Anchor
                component={Link}
                href={readerPathOf(id, citation)}
                size="xs"
                onClick={createOpenHandler(citation, onOpen)}
              >
                {documentName}
                {page !== null && `, page ${page}`}
              </Anchor>{' '}
              <SourceLink sourceUrl={sourceUrl} documentName={documentName} />
              {quote !== null && (
                <Text span size="xs" c="dimmed">
                  {' '}
                  “{quote}”
                </Text>
              )}
            </Text>
          </Group>
        );
      })}
    </Stack>
  );
}

/**
 * The text of an answer. Citation markers `[n]` become links to their sources. Everything else is plain text and is
 * never parsed as markup.
 */
export function CitedText({
  content,
  citations,
  onOpen,
}: {
  readonly content: string;
  readonly citations: readonly Citation[];
  readonly onOpen?: (citation: Citation) => void;
}) {
  const { id } = useProject();
  const parts = content.split(/(\[\d{1,3}\])/);
  return (
    <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {parts.map((part, index) => {
        const citation = index % 2 === 1 ? citations[Number(part.slice(1, -1)) - 1] : undefined;
        if (citation === undefined) return part;
        return (
          <Anchor
            // biome-ignore lint/suspicious/noArrayIndexKey: streaming only appends parts
            key={index}
            component={Link}
            href={readerPathOf(id, citation)}
            size="sm"
            underline="always"
            aria-label={`Source ${part.slice(1, -1)}: ${citation.documentName}`}
            title={citation.quote ?? citation.documentName}
            onClick={createOpenHandler(citation, onOpen)}
          >
            {part}
          </Anchor>
        );
      })}
    </Text>
  );
}

/**
 * Returns a click handler that calls `onOpen`. It ignores clicks with Ctrl, Cmd or Shift, so that the browser opens a
 * new tab or window.
 */
function createOpenHandler(citation: Citation, onOpen: ((citation: Citation) => void) | undefined) {
  return (event: MouseEvent) => {
    if (onOpen === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(citation);
  };
}
