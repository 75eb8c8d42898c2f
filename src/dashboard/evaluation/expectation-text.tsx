import { Badge, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useProject } from '../project/project.tsx';
import type { Result } from './runs/result-operations.ts';

/** Describes the expected answer of a question in plain words. */
export function ExpectationText({
  expectation: { expected, documentId, documentName, mustRefuse, tags, language },
}: {
  readonly expectation: Pick<
    Result,
    'expected' | 'documentId' | 'documentName' | 'mustRefuse' | 'tags' | 'language'
  >;
}) {
  const { id: projectId } = useProject();
  const hasDocument = documentId !== null || documentName !== null;
  const isAnything = !mustRefuse && expected.length === 0 && !hasDocument;
  return (
    <Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
      {mustRefuse && <Text size="sm">Expected: the assistant refuses</Text>}
      {isAnything && <Text size="sm">Expected: any answer</Text>}
      {expected.length > 0 && (
        <Text size="sm" dir="auto">
          Expected:{' '}
          {expected.map((alternatives) => describeAlternatives(alternatives)).join(' and ')}
        </Text>
      )}
      {hasDocument && (
        <Text size="sm" dir="auto">
          Document:{' '}
          {documentId === null ? (
            documentName
          ) : (
            <Text
              component={Link}
              href={`/${projectId}/knowledge/${documentId}`}
              size="sm"
              c="var(--mantine-color-anchor)"
              td="underline"
            >
              {documentName ?? 'open the document'}
            </Text>
          )}
        </Text>
      )}
      {(tags.length > 0 || language !== null) && (
        <Group gap={4} mt={2}>
          {tags.map((tag) => (
            <Badge key={tag} size="sm" variant="light" color="gray" tt="none" maw="100%">
              {tag}
            </Badge>
          ))}
          {language !== null && (
            <Text size="xs" c="dimmed">
              Language: {language}
            </Text>
          )}
        </Group>
      )}
    </Stack>
  );
}

function describeAlternatives(alternatives: readonly string[]): string {
  return alternatives.map((text) => `“${text}”`).join(' or ');
}
