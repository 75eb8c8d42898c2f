import { Card, Group, Loader, Stack, Text } from '@mantine/core';
import { LoadFailure } from '../components/error-messages.tsx';
import { Citations, CitedText } from '../transcript/citations.tsx';
import { ConfidenceBadge } from '../transcript/confidence-badge.tsx';
import type { useAnswerPreview } from './use-answer-preview.ts';

/** The answer to a question that was asked again. Renders nothing before the question was asked again. */
export function LatestAnswer({
  preview: { answer, error, isAsking, ask },
}: {
  readonly preview: ReturnType<typeof useAnswerPreview>;
}) {
  return (
    <div aria-live="polite">
      {isAsking && <Loader size="xs" type="dots" aria-label="Answering" />}
      {error !== null && <LoadFailure error={error} onRetry={() => void ask()} />}
      {answer !== null && (
        <Card withBorder padding="sm" maw="min(92%, 42rem)" aria-label="Answer">
          <Stack gap="xs">
            <Text size="sm" fw={600}>
              {answer.isAnswered
                ? 'The assistant now answers'
                : 'The assistant still does not know'}
            </Text>
            <CitedText content={answer.content} citations={answer.citations} />
            <Citations citations={answer.citations} />
            <Group gap="xs">
              <ConfidenceBadge value={answer.confidence} />
            </Group>
          </Stack>
        </Card>
      )}
    </div>
  );
}
