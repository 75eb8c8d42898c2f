import { Badge, Card, Group, Spoiler, Text, Tooltip } from '@mantine/core';
import { Link } from 'wouter';
import { useProject } from '../../project/project.tsx';
import type { SearchExplanation } from './explain-search-query.ts';
import { HighlightedText } from './highlighted-text.tsx';

/** A passage with its scores. The words that match the question are highlighted. */
export function SearchResult({
  found: { result, isGround, matches },
  rank,
}: {
  readonly found: SearchExplanation['results'][number];
  readonly rank: number;
}) {
  const { id: projectId } = useProject();
  const { chunkId, documentId, documentName, page, content } = result;
  return (
    <Card
      withBorder
      component="li"
      padding="md"
      style={isGround ? { borderColor: 'var(--mantine-color-green-outline)' } : undefined}
    >
      <Group justify="space-between" mb="xs" gap="xs">
        <Text
          component={Link}
          href={`/${projectId}/knowledge/${documentId}/${chunkId}`}
          fw={600}
          c="var(--mantine-color-anchor)"
          style={{ overflowWrap: 'anywhere', flex: '1 1 200px', minWidth: 0 }}
        >
          {rank}. {documentName}
          {page !== null && `, page ${page}`}
        </Text>
        <Group gap="xs">
          {isGround && (
            <Tooltip label="The assistant would receive this passage as context">
              <Badge variant="light" color="green" tt="none" tabIndex={0}>
                Used as context
              </Badge>
            </Tooltip>
          )}
          <Scores result={result} />
        </Group>
      </Group>
      <Spoiler
        maxHeight={132}
        showLabel="Show all"
        hideLabel="Show less"
        transitionDuration={0}
        showAriaLabel={`Show all of passage ${rank}`}
        hideAriaLabel={`Show less of passage ${rank}`}
        attributes={{ content: { 'aria-label': `Passage ${rank}` } }}
      >
        <HighlightedText text={content} matches={matches} />
      </Spoiler>
    </Card>
  );
}

function Scores({
  result: { score, similarity, lexical },
}: {
  readonly result: SearchExplanation['results'][number]['result'];
}) {
  const label = `Combines semantic similarity (${similarity.toFixed(2)}) and keyword match (${lexical.toFixed(2)})`;
  return (
    <Tooltip label={label} multiline w={280}>
      <Group gap="xs" tabIndex={0} role="note" aria-label={`Score ${score.toFixed(2)}. ${label}`}>
        <Badge variant="light" tt="none">
          Score {score.toFixed(2)}
        </Badge>
        <Text size="xs" c="dimmed">
          similarity {similarity.toFixed(2)} · keywords {lexical.toFixed(2)}
        </Text>
      </Group>
    </Tooltip>
  );
}
