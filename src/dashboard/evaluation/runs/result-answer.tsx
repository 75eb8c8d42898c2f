import { Badge, Group, Paper, Spoiler, Stack, Text } from '@mantine/core';
import { Citations, CitedText } from '../../transcript/citations.tsx';
import { ConfidenceBadge } from '../../transcript/confidence-badge.tsx';
import { problemsOf } from './result-problems.ts';
import type { Result } from './run-operations.ts';

/** The answer to a question of a run, with its judgement and its citations. */
export function ResultAnswer({ result }: { readonly result: Result }) {
  const { answer, citations, confidence, error, isDocumentMissing } = result;
  return (
    <Paper bg="var(--mantine-color-default-hover)" p="sm">
      <Stack gap="xs">
        <Group gap={4}>
          <Judgement result={result} />
          {confidence !== null && <ConfidenceBadge value={confidence} />}
        </Group>
        {isDocumentMissing && (
          <Text size="xs">
            The expected document did not exist, or was left out. The search and the citation were
            not judged.
          </Text>
        )}
        {error !== null && <Text size="sm">{error}</Text>}
        {answer !== null && (
          <Spoiler
            maxHeight={240}
            showLabel="Show all"
            hideLabel="Show less"
            transitionDuration={0}
            showAriaLabel="Show all of the answer"
            hideAriaLabel="Show less of the answer"
          >
            <CitedText content={answer} citations={citations} />
          </Spoiler>
        )}
        <Citations citations={citations} />
      </Stack>
    </Paper>
  );
}

function Judgement({ result }: { readonly result: Result }) {
  const problems = problemsOf(result);
  if (problems.length === 0) {
    return (
      <Badge size="sm" variant="light" color="green" tt="none">
        As expected
      </Badge>
    );
  }
  return problems.map((problem) => (
    <Badge key={problem} size="sm" variant="light" color="red" tt="none">
      {problem}
    </Badge>
  ));
}
