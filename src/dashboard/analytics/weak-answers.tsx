import { Anchor, Badge, Group, Stack, Text, Title } from '@mantine/core';
import { IconThumbDown } from '@tabler/icons-react';
import { Link } from 'wouter';
import { RelativeTime } from '../components/relative-time.tsx';
import { Row, RowList } from '../components/row-list.tsx';
import { formatPercent } from '../format/format-numbers.ts';
import { useProject } from '../project/project.tsx';
import type { WeakAnswer } from './analytics-operations.ts';

/** The worst answers of the period, with links to their conversations. */
export function WeakAnswers({ answers }: { readonly answers: readonly WeakAnswer[] }) {
  const { id: projectId } = useProject();
  return (
    <Stack component="section" gap="xs" aria-labelledby="weak-answers">
      <div>
        <Title order={2} size="h4" id="weak-answers">
          Worst answers
        </Title>
        <Text c="dimmed" size="sm">
          Rated not helpful, then the least confident.{' '}
          <Anchor component={Link} href={`/${projectId}/unanswered`} inherit underline="always">
            Unanswered
          </Anchor>{' '}
          groups the questions.
        </Text>
      </div>
      {answers.length === 0 ? (
        <Text size="sm">No answer of this period was rated not helpful or has low confidence.</Text>
      ) : (
        <RowList label="Worst answers">
          {answers.map(({ messageId, conversationId, question, answer, ...rest }) => (
            <Row key={messageId}>
              <Stack gap={4} miw={0}>
                <Anchor
                  component={Link}
                  href={`/${projectId}/conversations/${conversationId}`}
                  size="sm"
                  fw={600}
                  lineClamp={2}
                  dir="auto"
                >
                  {question}
                </Anchor>
                <Text size="sm" lineClamp={2} dir="auto">
                  {answer}
                </Text>
                <Group gap="xs">
                  {rest.rating === 'DOWN' && (
                    <Badge
                      size="sm"
                      variant="light"
                      color="red"
                      tt="none"
                      leftSection={<IconThumbDown size={12} aria-hidden />}
                    >
                      Not helpful
                    </Badge>
                  )}
                  {rest.confidence !== null && (
                    <Text size="xs" c="dimmed">
                      Confidence {formatPercent(rest.confidence)}
                    </Text>
                  )}
                  <RelativeTime at={rest.createdAt} size="xs" c="dimmed" />
                </Group>
              </Stack>
            </Row>
          ))}
        </RowList>
      )}
    </Stack>
  );
}
