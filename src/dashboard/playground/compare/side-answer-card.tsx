import { Badge, Card, Group, Loader, Stack, Text } from '@mantine/core';
import { LoadFailure } from '../../components/error-messages.tsx';
import { formatDuration } from '../../format/format-duration.ts';
import { Citations, CitedText } from '../../transcript/citations.tsx';
import { ConfidenceBadge } from '../../transcript/confidence-badge.tsx';
import { TraceDetails, TraceDrawer } from '../../transcript/trace/trace-drawer.tsx';
import type { SideAnswer } from './comparison.ts';
import { citesDocuments } from './describe-difference.ts';

/** The answer of one side, with its sources, confidence and time. */
export function SideAnswerCard({
  name,
  answer: { answer, error, totalMs },
  onRetry,
}: {
  /** A or B. */
  readonly name: string;
  readonly answer: SideAnswer;
  readonly onRetry: () => void;
}) {
  const isAnswering = answer === null && error === null;
  return (
    <Card withBorder padding="sm" aria-label={`Answer ${name}`} aria-busy={isAnswering}>
      <Stack gap="xs">
        <Group gap="xs">
          <Text size="sm" fw={600}>
            Answer {name}
          </Text>
          {answer !== null && (
            <Badge
              size="sm"
              variant="light"
              tt="none"
              color={citesDocuments(answer) ? 'green' : 'gray'}
            >
              {citesDocuments(answer) ? 'Answered' : 'Refused'}
            </Badge>
          )}
        </Group>
        {isAnswering && <Loader size="xs" type="dots" aria-label="Answering" />}
        {error !== null && <LoadFailure error={error} onRetry={onRetry} />}
        {answer !== null && (
          <>
            <CitedText content={answer.content} citations={answer.citations} />
            <Citations citations={answer.citations} />
            <Group gap="xs" mih={20}>
              <ConfidenceBadge value={answer.confidence} />
              {totalMs !== null && (
                <Badge size="sm" variant="light" color="gray" tt="none">
                  Total {formatDuration(totalMs)}
                </Badge>
              )}
              <TraceDrawer label={`Why this answer? Answer ${name}`}>
                <TraceDetails trace={answer.trace ?? null} />
              </TraceDrawer>
            </Group>
          </>
        )}
      </Stack>
    </Card>
  );
}
