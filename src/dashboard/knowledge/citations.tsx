import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import type { MouseEvent } from 'react';
import { Link } from 'wouter';
import { graphql } from '../graphql/graphql.ts';
import { useProject } from '../shell/project.tsx';

export const citationFields = graphql(`
  fragment CitationFields on Citation {
    chunkId
    documentId
    documentName
    page
    quote
    startOffset
  }
`);

export type Citation = ResultOf<typeof citationFields>;

/**
 * The sources of an answer, numbered as its markers are; each leads to its place in its document, or is shown by
 * `onOpen` where one is.
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
        const { chunkId, documentName, page, quote } = citation;
        return (
          <Group
            key={chunkId}
            component="li"
            gap={6}
            wrap="nowrap"
            align="baseline"
            style={{ listStyle: 'none' }}
          >
            <Text size="xs" c="dimmed">
              [{index + 1}]
            </Text>
            <Text size="xs" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
              <Anchor
                component={Link}
                href={placeOf(id, citation)}
                size="xs"
                onClick={opening(citation, onOpen)}
              >
                {documentName}
                {page !== null && `, page ${page}`}
              </Anchor>
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

/** An answer, its markers `[n]` leading to the sources. Everything else is shown as the text it is. */
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
  const pieces = content.split(/(\[\d{1,3}\])/);
  return (
    <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {pieces.map((piece, index) => {
        const citation = index % 2 === 1 ? citations[Number(piece.slice(1, -1)) - 1] : undefined;
        if (citation === undefined) return piece;
        return (
          <Anchor
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only ever added at the end
            key={index}
            component={Link}
            href={placeOf(id, citation)}
            size="sm"
            aria-label={`Source ${piece.slice(1, -1)}: ${citation.documentName}`}
            title={citation.quote ?? citation.documentName}
            onClick={opening(citation, onOpen)}
          >
            {piece}
          </Anchor>
        );
      })}
    </Text>
  );
}

function placeOf(projectId: string, { documentId, chunkId }: Citation): string {
  return `/${projectId}/knowledge/${documentId}/${chunkId}`;
}

/** With a key held a link is for a tab of its own. */
function opening(citation: Citation, onOpen: ((citation: Citation) => void) | undefined) {
  return (event: MouseEvent) => {
    if (onOpen === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(citation);
  };
}
